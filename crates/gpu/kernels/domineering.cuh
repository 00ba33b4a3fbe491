// Domineering: tesuji_games::Domineering. Constants: WIDTH and HEIGHT, both at most 8.
//
// Cell (x, y) is bit x + 8y. White's dominoes are vertical, Black's horizontal. Which side has
// covered a cell does not matter, so a position has only the empty cells.
#pragma once

struct Position {
  static const bool HAS_CYCLES = false;
  static const int MOST_MOVES =
      WIDTH * (HEIGHT - 1) > (WIDTH - 1) * HEIGHT ? WIDTH * (HEIGHT - 1) : (WIDTH - 1) * HEIGHT;
  static const int N_CODES = 2 * 64;

  u64 empty;
  u64 key; // of the covered cells and the side
  u32 side; // Black is 0, White 1.

  FN void load(const u32* words) {
    empty = joined(words[0], words[1]);
    key = joined(words[2], words[3]);
    side = words[4];
  }

  FN bool is_black() const { return side == 0; }

  // The first cells of the dominoes of White, and of Black: the last bit of a row has no right
  // neighbour.
  static FN u64 white_places(u64 empty) { return empty & empty >> 8; }
  static FN u64 black_places(u64 empty) { return empty & empty >> 1 & 0x7f7f7f7f7f7f7f7full; }
  FN u64 places() const { return side ? white_places(empty) : black_places(empty); }

  // The side that cannot move has lost.
  FN int outcome() const { return places() ? -1 : side ? 2 : 0; }

  template <class F> FN void for_each_search_move(const Way&, F visit) const {
    for (u64 rest = places(); rest; rest &= rest - 1) visit((u16)lowest_bit(rest));
  }

  FN u32 code(u16 move) const { return side * 64 + move; }

  FN void play(u16 move) {
    u32 second = move + (side ? 8 : 1);
    empty &= ~(1ull << move | 1ull << second);
    key ^= zobrist_stone(0, move) ^ zobrist_stone(0, second) ^ zobrist_turn(false);
    side ^= 1;
  }

  FN u64 hash() const { return key; }

  FN void draw_at_end(Rng& rng) const { rng.bits(); }

  // One draw serves White's domino and Black's answer.
  template <class R> FN int playout(Rng& rng, R& record) const {
    u64 left = empty;
    u64 drawn = rng.bits();
    bool is_white = side != 0;
    if (!is_white) drawn <<= 32; // Black begins: a draw of its own, whose low half it uses.
    while (true) {
      if (is_white) {
        u64 places = white_places(left);
        if (!places) return 2;
        int first = select_bit(places, rng.below_from((u32)drawn, count_bits(places)));
        left &= ~(0x101ull << first);
        record.push(64 + first);
      }
      u64 places = black_places(left);
      if (!places) return 0;
      int first = select_bit(places, rng.below_from((u32)(drawn >> 32), count_bits(places)));
      left &= ~(3ull << first);
      record.push(first);
      drawn = rng.bits();
      is_white = true;
    }
  }
};
