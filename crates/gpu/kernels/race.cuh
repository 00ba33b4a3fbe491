// Breakthrough and Knightthrough: tesuji_games::Race. Constants: WIDTH and HEIGHT, both at most
// 8, KNIGHTS, 1 for Knightthrough and 0 for Breakthrough, and CODES, 0 for all codes, 1
// without captures and 2 by the square entered.
//
// Square (x, y) is bit x + 8y. A move goes along a line between its lower and its upper square:
// White goes up, Black goes down. A move's number is the square that it leaves, plus 256 times
// its line.
#pragma once

struct Position {
  static const int LINES = KNIGHTS ? 4 : 3;
  static const bool HAS_CYCLES = false;
  static const int MOST_MOVES = 2 * WIDTH * LINES; // of at most 2 * WIDTH pieces
  static const int KINDS = KNIGHTS ? 8 : 5; // of moves, for codes
  static const int N_CODES = 2 * WIDTH * HEIGHT * KINDS;
  static const int CELLS = WIDTH * HEIGHT;

  u64 black, white;
  u64 key; // of the pieces and the side
  u32 side; // Black is 0, White 1.

  FN void load(const u32* words) {
    black = joined(words[0], words[1]);
    white = joined(words[2], words[3]);
    key = joined(words[4], words[5]);
    side = words[6];
  }

  FN bool is_black() const { return side == 0; }

  // How far to the right and up a line goes, in bits from the lower to the upper square, and the
  // number of its first kind. Steps straight ahead do not capture: they are of one kind.
  static FN constexpr int right(int line) {
    return KNIGHTS ? (line == 0 ? -2 : line == 1 ? 2 : line == 2 ? -1 : 1) : line - 1;
  }
  static FN constexpr int up(int line) { return KNIGHTS && line >= 2 ? 2 : 1; }
  static FN constexpr int shift(int line) { return 8 * up(line) + right(line); }
  static FN constexpr int first_kind(int line) { return KNIGHTS ? 2 * line : line == 0 ? 0 : line + 1; }
  static FN constexpr bool captures(int line) { return KNIGHTS || line != 1; }

  // The squares that are the lower end of such a line with both ends on the board.
  static FN constexpr u64 on_board(int line) {
    u32 row = (1u << WIDTH) - 1;
    u32 columns = right(line) < 0 ? row << -right(line) & row : row >> right(line);
    return 0x0101010101010101ull * columns & ~0ull >> (64 - 8 * (HEIGHT - up(line)));
  }

  // The lower squares of a side's moves along a line, if nobody has arrived.
  static FN u64 lowers(int line, bool is_white, u64 black, u64 white) {
    int by = shift(line);
    u64 blocked = captures(line) ? (is_white ? white : black) : black | white;
    u64 free = is_white ? white & ~(blocked >> by) : black >> by & ~blocked;
    return free & on_board(line);
  }

  static FN bool has_arrived(bool is_white, u64 pieces) {
    return (is_white ? pieces & 0xffull << 8 * (HEIGHT - 1) : pieces & 0xff) != 0;
  }

  FN int outcome() const {
    if (has_arrived(false, black)) return 2;
    if (has_arrived(true, white)) return 0;
    u64 any = 0;
#pragma unroll
    for (int line = 0; line < LINES; line++) any |= lowers(line, side, black, white);
    return any ? -1 : side ? 2 : 0;
  }

  // The shift of a line that is known only at run time.
  static FN u32 shift_of(u32 line) {
    u32 by = shift(0);
#pragma unroll
    for (int other = 1; other < LINES; other++)
      if (line == (u32)other) by = shift(other);
    return by;
  }

  // Line by line. The loop is one, so that `visit` is compiled once.
  template <class F> FN void for_each_search_move(const Way&, F visit) const {
    u64 rest = lowers(0, side, black, white);
    u32 line = 0, by = side ? 0 : shift(0);
    while (true) {
      while (!rest) {
        if (++line == LINES) return;
#pragma unroll
        for (int other = 1; other < LINES; other++)
          if (line == (u32)other) rest = lowers(other, side, black, white);
        by = side ? 0 : shift_of(line);
      }
      visit((u16)((lowest_bit(rest) + by) | line << 8));
      rest &= rest - 1;
    }
  }

  FN u32 target(u16 move) const {
    u32 from = move & 0xff, by = shift_of(move >> 8);
    return side ? from + by : from - by;
  }

  static FN u32 code_of(u32 side, u32 from, u32 to, u32 kind, bool captures) {
    u32 square = CODES == 2 ? to : from;
    u32 cell = square - (square >> 3) * (8 - WIDTH);
    u32 of_cell = CODES == 2 ? 0 : CODES == 1 ? kind : kind + captures;
    return (CELLS * side + cell) * KINDS + of_cell;
  }

  FN u32 code(u16 move) const {
    u32 line = move >> 8;
    u32 kind = KNIGHTS ? 2 * line : line + (line != 0);
    u64 enemies = side ? black : white;
    u32 to = target(move);
    return code_of(side, move & 0xff, to, kind, enemies >> to & 1);
  }

  FN void play(u16 move) {
    u32 from = move & 0xff, to = target(move);
    u64 entered = 1ull << to, changed = 1ull << from | entered;
    u64 own = side ? white : black, enemies = side ? black : white;
    key ^= zobrist_stone(side, from) ^ zobrist_stone(side, to) ^ zobrist_turn(false);
    if (enemies & entered) key ^= zobrist_stone(side ^ 1, to);
    own ^= changed;
    enemies &= ~entered;
    black = side ? enemies : own;
    white = side ? own : enemies;
    side ^= 1;
  }

  FN u64 hash() const { return key; }

  // A playout draws before it finds that a side has no move.
  FN void draw_at_end(Rng& rng) const {
    if (!has_arrived(false, black) && !has_arrived(true, white)) rng.bits();
  }

  // Plays a random move of a side. Returns -1 while the game goes on, and otherwise Black's reward.
  template <bool IS_WHITE, class R>
  static FN int ply(u64& own, u64& enemies, u32 drawn, Rng& rng, R& record) {
    u64 black = IS_WHITE ? enemies : own, white = IS_WHITE ? own : enemies;
    u64 along[LINES];
    u32 ahead[LINES + 1]; // moves along earlier lines
    ahead[0] = 0;
#pragma unroll
    for (int line = 0; line < LINES; line++) {
      along[line] = lowers(line, IS_WHITE, black, white);
      ahead[line + 1] = ahead[line] + count_bits(along[line]);
    }
    int number = rng.below_from_short(drawn, ahead[LINES]);
    if (number < 0) return IS_WHITE ? 2 : 0;
    // The line is chosen first and without a branch, so that one selection is enough.
    u64 word = along[0];
    u32 before = 0, by = shift(0), kind = 0;
#pragma unroll
    for (int line = 1; line < LINES; line++) {
      bool is_later = (u32)number >= ahead[line];
      word = is_later ? along[line] : word;
      before = is_later ? ahead[line] : before;
      by = is_later ? shift(line) : by;
      kind = is_later ? first_kind(line) : kind;
    }
    u32 lower = select_bit(word, number - before), upper = lower + by;
    u32 from = IS_WHITE ? lower : upper, to = IS_WHITE ? upper : lower;
    u64 entered = 1ull << to;
    record.push(code_of(IS_WHITE, from, to, kind, (enemies & entered) != 0));
    enemies &= ~entered;
    own = (own & ~(1ull << from)) | entered;
    if (has_arrived(IS_WHITE, own)) return IS_WHITE ? 0 : 2;
    return -1;
  }

  // One draw serves four plies, and the first one of Black a draw of its own.
  template <class R> FN int playout(Rng& rng, R& record) const {
    u64 blacks = black, whites = white;
    u64 drawn = rng.bits();
    bool is_white = side != 0, is_half = !is_white;
    if (!is_white) drawn <<= 16;
#pragma unroll 1
    while (true) {
      if (is_white) {
        int ended = ply<true>(whites, blacks, (u32)drawn & 0xffff, rng, record);
        if (ended >= 0) return ended;
      }
      int ended = ply<false>(blacks, whites, (u32)drawn >> 16, rng, record);
      if (ended >= 0) return ended;
      drawn = is_half ? rng.bits() : drawn >> 32;
      is_half = !is_half;
      is_white = true;
    }
  }
};
