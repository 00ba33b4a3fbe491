// Hex: tesuji_games::Hex. Constants: SIZE, from 2 to 19; ROWS, the number of rows in a word of
// 64 bits on the CPU, 4 up to size 12 and 3 above; and SWAP, 1 if White may swap.
//
// A board here is some words of 32 bits, called parts, each of two rows of 16 bits or one row.
// The bits are in the CPU's order, from a1 to the right and row by row downwards, so a cell's
// rank among the empty ones is the same. Arrays are indexed only in unrolled loops, so that they
// stay in registers.
#pragma once

struct Cells {
  static const int LANES = ROWS == 4 ? 2 : 1; // rows in a part
  static const int PARTS = (SIZE + LANES - 1) / LANES;
  static const u32 ROW = (1u << SIZE) - 1;

  u32 parts[PARTS];

  // The cells of the board that are in a part.
  static FN constexpr u32 board(int part) {
    return LANES == 1 || 2 * part + 1 == SIZE ? ROW : ROW | ROW << 16;
  }

  FN u32 count() const {
    u32 count = 0;
#pragma unroll
    for (int part = 0; part < PARTS; part++) count += count_bits(parts[part]);
    return count;
  }

  FN void flip(u32 x, u32 y) {
    u32 bit = 1u << (LANES == 2 ? (y & 1) * 16 + x : x);
#pragma unroll
    for (int part = 0; part < PARTS; part++) parts[part] ^= (int)y / LANES == part ? bit : 0;
  }

  // Takes out the cell with `rank` cells before it.
  FN void take(u32 rank) {
    u32 word = parts[0], before = 0, through = 0;
    int at = 0;
#pragma unroll
    for (int part = 1; part < PARTS; part++) {
      through += count_bits(parts[part - 1]);
      bool is_later = rank >= through;
      at = is_later ? part : at;
      before = is_later ? through : before;
      word = is_later ? parts[part] : word;
    }
    u32 bit = 1u << select_bit(word, rank - before);
#pragma unroll
    for (int part = 0; part < PARTS; part++) parts[part] ^= part == at ? bit : 0;
  }

  // Whether these cells connect the top row to the bottom row.
  //
  // Without a flood, whose length depends on the cells: the board is a part of a triangle, the
  // cells with x + y < 2 * SIZE - 1, all filled: right of the board with White's stones, below it
  // with Black's. On a full triangle, one side connects all three edges, and it still does on the
  // smaller triangle in which each stone is that of the majority of the cell, its right neighbour
  // and the lower one (van Rijswijck, "Search and evaluation in Hex", 2002). The last triangle is
  // one cell. What is right of the board and below it does not change on the way.
  FN bool join_top_and_bottom() const {
    u32 own[PARTS];
#pragma unroll
    for (int part = 0; part < PARTS; part++) own[part] = parts[part];
    if (LANES == 2 && SIZE % 2) own[PARTS - 1] |= ROW << 16;
#pragma unroll
    for (int left = 2 * SIZE - 2; left > 0; left--) { // the next triangle's edge
      const int rows = left < SIZE ? left : SIZE;
#pragma unroll
      for (int part = 0; part < (rows + LANES - 1) / LANES; part++) {
        u32 next = part + 1 < PARTS ? own[part + 1] : LANES == 2 ? ROW | ROW << 16 : ROW;
        u32 lower = LANES == 2 ? shift_right(own[part], next, 16) : next;
        u32 right = own[part] >> 1;
        own[part] = (own[part] & right) | (own[part] & lower) | (right & lower);
      }
    }
    return own[0] & 1;
  }
};

struct Position {
  static const int PARTS = Cells::PARTS;
  static const int POINTS = SIZE * SIZE;
  static const bool HAS_CYCLES = false;
  static const int MOST_MOVES = POINTS + SWAP;
  static const int N_CODES = 2 * POINTS + SWAP;
  static const u16 SWAPPING = 0xffff; // Other moves are x + 256 * y.

  Cells black, white;
  u64 key; // of the stones and the side
  u32 side; // Black is 0, White 1.
  int ended; // Black's reward in halves, or -1

  FN void load(const u32* words) {
#pragma unroll
    for (int part = 0; part < PARTS; part++) {
      black.parts[part] = words[5 + part];
      white.parts[part] = words[5 + PARTS + part];
    }
    key = joined(words[0], words[1]);
    side = words[2];
    ended = words[3] ? (words[4] ? 0 : 2) : -1;
  }

  FN bool is_black() const { return side == 0; }

  FN int outcome() const { return ended; }

  FN u32 empty(int part) const {
    return Cells::board(part) & ~(black.parts[part] | white.parts[part]);
  }

  FN bool may_swap() const { return SWAP && side && white.count() == 0 && black.count() == 1; }

  // Part by part. The loop is one, so that `visit` is compiled once.
  template <class F> FN void for_each_search_move(const Way&, F visit) const {
    if (ended >= 0) return;
    u32 rest = empty(0);
    for (int at = 0; at < PARTS;) {
      if (rest) {
        u32 bit = lowest_bit(rest);
        rest &= rest - 1;
        u32 x = Cells::LANES == 2 ? bit & 15 : bit, y = Cells::LANES == 2 ? 2 * at + (bit >> 4) : at;
        visit((u16)(x | y << 8));
      } else {
        at++;
#pragma unroll
        for (int part = 1; part < PARTS; part++) rest = part == at ? empty(part) : rest;
      }
    }
    if (may_swap()) visit(SWAPPING);
  }

  FN u32 code(u16 move) const {
    if (SWAP && move == SWAPPING) return 2 * POINTS;
    return side * POINTS + (move >> 8) * SIZE + (move & 0xff);
  }

  FN void play(u16 move) {
    if (SWAP && move == SWAPPING) {
      take_over();
    } else {
      u32 x = move & 0xff, y = move >> 8;
      if (side) white.flip(x, y);
      else black.flip(x, y);
      key ^= zobrist_stone(side, y * SIZE + x);
      // White is connected if all other cells together do not connect Black's edges.
      Cells others;
      u32 n_stones = 0;
#pragma unroll
      for (int part = 0; part < PARTS; part++) {
        n_stones += count_bits(side ? white.parts[part] : black.parts[part]);
        others.parts[part] = side ? Cells::board(part) & ~white.parts[part] : black.parts[part];
      }
      if (n_stones >= SIZE && others.join_top_and_bottom() == is_black()) ended = side ? 0 : 2;
    }
    pass_the_turn();
  }

  FN void pass_the_turn() {
    side ^= 1;
    key ^= zobrist_turn(false);
  }

  // Black's only stone becomes White's, mirrored.
  FN void take_over() {
    u32 x = 0, y = 0;
#pragma unroll
    for (int part = 0; part < PARTS; part++) {
      if (black.parts[part]) {
        u32 bit = lowest_bit(black.parts[part]);
        x = Cells::LANES == 2 ? bit & 15 : bit;
        y = Cells::LANES == 2 ? 2 * part + (bit >> 4) : part;
      }
    }
    black.flip(x, y);
    white.flip(y, x);
    key ^= zobrist_stone(0, y * SIZE + x) ^ zobrist_stone(1, x * SIZE + y);
  }

  FN u64 hash() const { return key ^ (may_swap() ? zobrist_extra(0) : 0); }

  // Fills the board: see the CPU's playout. An order of play would have a generator of its own,
  // for which there is a draw, and is not needed.
  template <class R> FN int playout(Rng& rng, R& record) const {
    Position start = *this;
    // A stone on any of the other cells, or the swap.
    if (may_swap() && rng.below(POINTS) == 0) {
      start.take_over();
      start.pass_the_turn();
      record.push(2 * POINTS);
    }
    return start.filled(rng, record);
  }

  template <class R> FN int filled(Rng& rng, R& record) const {
    // A coin for each cell.
    Cells mine;
    const int words = ROWS == 4 ? 3 : (SIZE + 2) / 3, per_word = ROWS == 4 ? 2 : 3;
#pragma unroll
    for (int word = 0; word < words; word++) {
      const int first = word * per_word;
      // The large boards of the CPU draw nothing for a word without empty cells.
      bool is_drawn = ROWS == 4;
#pragma unroll
      for (int part = first; part < first + per_word && part < PARTS; part++)
        is_drawn |= empty(part) != 0;
      u64 coins = is_drawn ? rng.bits() : 0;
#pragma unroll
      for (int part = first; part < first + per_word && part < PARTS; part++)
        mine.parts[part] = (u32)(coins >> (part - first) * (ROWS == 4 ? 32 : 21)) & empty(part);
    }
    // Cells at random change hands until the side to move has the larger half: its own cells
    // where it has too many, and otherwise the others.
    Cells pool;
    u32 n_empty = 0, chosen = mine.count();
#pragma unroll
    for (int part = 0; part < PARTS; part++) n_empty += count_bits(empty(part));
    u32 wanted = (n_empty + 1) / 2;
    bool has_too_many = chosen > wanted;
#pragma unroll
    for (int part = 0; part < PARTS; part++)
      pool.parts[part] = has_too_many ? mine.parts[part] : empty(part) & ~mine.parts[part];
    u32 left = has_too_many ? chosen : n_empty - chosen;
    u32 last = has_too_many ? wanted : n_empty - wanted;
#pragma unroll 1
    for (; left > last; left--) pool.take(rng.below(left));
    rng.bits();
    // The pool is what is left of the side to move's cells or of the others.
    bool is_black_pool = has_too_many == is_black();
    Cells all_black;
#pragma unroll
    for (int part = 0; part < PARTS; part++) {
      u32 rest = empty(part) & ~pool.parts[part];
      u32 new_black = is_black_pool ? pool.parts[part] : rest;
      u32 new_white = is_black_pool ? rest : pool.parts[part];
      all_black.parts[part] = black.parts[part] | new_black;
#pragma unroll
      for (int lane = 0; lane < Cells::LANES; lane++) {
        const int y = Cells::LANES * part + lane;
        if (y < SIZE) {
          push_set(record, y * SIZE, new_black >> 16 * lane & Cells::ROW);
          push_set(record, POINTS + y * SIZE, new_white >> 16 * lane & Cells::ROW);
        }
      }
    }
    return all_black.join_top_and_bottom() ? 2 : 0;
  }
};
