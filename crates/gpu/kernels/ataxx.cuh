// Ataxx on boards from 3 to 8: stones that clone themselves or jump, and turn their neighbours.
//
// SIZE is the board's size. HALF_DRAWS is 1 if an even count of stones is worth half a win to
// each side, and 0 if Black wins then. CODES is 0 for all codes and 2 for those of the cell
// entered. Cell (x, y) is bit x + 8y on every board.
#pragma once
#include "common.cuh"

#ifdef __CUDACC__
#define TABLE __device__ const
#else
#define TABLE static const
#endif

// For n below LENGTH, which of the numbers bits * n^7 (mod 2^64) would appear once too often: the
// smallest ones, 2^64 mod n^7 of them. Playouts draw seven numbers below n from a word, and n is
// at most 16 * 31 + 32; a quotient of 64 bits would cost as much as the rest of a ply.
struct Surplus {
  static const int LENGTH = 17 * 32 + 1;
  u64 of[LENGTH];
};
FN constexpr u64 seventh_power(u32 n) { return (u64)(n * n) * (n * n) * (n * n * n); }
FN constexpr Surplus surplus_table() {
  Surplus table = {};
  for (u32 n = 1; n < Surplus::LENGTH; n++) table.of[n] = (0 - seventh_power(n)) % seventh_power(n);
  return table;
}
TABLE Surplus SURPLUS = surplus_table();

// The cells at distance 1 from a cell, or at distance 2, as shapes around bit 18.
const u64 ADJACENT = 0x0e0a0e00ull, RING = 0x1f1111111full;

// The cells of the board of size 8 that have a shape around this cell.
FN u64 around(u64 shape, int cell) {
  // Columns within two of the cell's; what the shape has beyond the edge is not among them.
  u32 columns = ((0x1fu << (cell & 7)) >> 2 & 0xff) * 0x01010101u;
  int by = cell - 18;
  u64 moved = by >= 0 ? shape << by : shape >> -by;
  return moved & ((u64)columns << 32 | columns);
}

// The cells next to any of these stones, and the stones.
FN u64 neighbours(u64 stones) {
  const u64 first_column = 0x0101010101010101ull;
  u64 wide = stones | (stones << 1 & ~first_column) | (stones >> 1 & ~(first_column << 7));
  return wide | wide << 8 | wide >> 8;
}

// The whole part of a fraction of 2^64 times n; the rest is the next fraction.
FN u32 whole_part(u64& fraction, u32 n) {
  u64 low = (u64)(u32)fraction * n, high = (fraction >> 32) * n + (low >> 32);
  fraction = high << 32 | (u32)low;
  return (u32)(high >> 32);
}

// select_bit without a branch: threads want bits of both halves.
FN int select_cell(u64 cells, u32 rank) {
  u32 low = (u32)cells, in_low = count_bits(low);
  bool is_low = rank < in_low;
  int at = select_bit(is_low ? low : (u32)(cells >> 32), is_low ? rank : rank - in_low);
  return is_low ? at : at + 32;
}

struct Position {
  // A jump joins two cells at distance 2. The 4 (SIZE - 1) (SIZE - 2) pairs of a knight's move
  // may all be jumps, but of the six pairs among the corners of a square of side 2, four at
  // most; every other pair belongs to one of these (SIZE - 2)^2 squares, but for the two pairs
  // across the centre of the board of size 3. Clones are at most SIZE^2 - 2, as both sides have
  // stones.
  static const bool HAS_CYCLES = true;
  static const int MOST_MOVES = 4 * (SIZE - 2) * (2 * SIZE - 3) + SIZE * SIZE;
  static const int N_CLONES = 2 * 64, N_JUMPS = 2 * 64 * 16, N_CODES = N_CLONES + N_JUMPS + 2;
  static const u16 PASS = 0xffff;
  static const u32 SLOTS_A_WORD = 7;
  static const int EARLY = 52;

  u64 own, enemy; // of the side to move, and of the other
  u32 side;       // to move: 0 is Black
  u32 left;       // plies until the cap
  u64 stones_hash;

  // The fields in order; the low half of a word comes first, and the hash has the side to move.
  FN void load(const u32* words) {
    own = words[0] | (u64)words[1] << 32;
    enemy = words[2] | (u64)words[3] << 32;
    side = words[4];
    left = words[5];
    stones_hash = (words[6] | (u64)words[7] << 32) ^ zobrist_turn(is_black());
  }

  FN bool is_black() const { return side == 0; }

  static FN u64 board() { return (0x0101010101010101ull >> (8 * (8 - SIZE))) * ((1u << SIZE) - 1); }
  FN u64 empty() const { return board() & ~(own | enemy); }

  // Black's reward in halves if the game ends with these stones.
  static FN int decided(u64 mine, u64 theirs, u32 turn) {
    int difference = count_bits(mine) - count_bits(theirs);
    if (turn) difference = -difference;
    return difference > 0 ? 2 : difference < 0 ? 0 : HALF_DRAWS ? 1 : 2;
  }

  FN bool is_over() const { return empty() == 0 || own == 0 || enemy == 0 || left == 0; }
  FN int outcome() const { return is_over() ? decided(own, enemy, side) : -1; }

  // Clones, whose cells are equal, then jumps, in the order of their cells; or the pass alone.
  static FN u16 packed(u32 from, u32 to) { return (u16)(from << 6 | to); }
  template <class F>
  FN void for_each_search_move(const Way&, F visit) const {
    if (is_over()) return;
    u64 free = empty(), clones = neighbours(own) & free;
    bool is_stuck = (neighbours(neighbours(own)) & free) == 0;
    if (is_stuck) visit(PASS);
    for (; clones; clones &= clones - 1) {
      int to = lowest_bit(clones);
      visit(packed(to, to));
    }
    for (u64 stones = own; stones; stones &= stones - 1) {
      int from = lowest_bit(stones);
      for (u64 jumps = around(RING, from) & free; jumps; jumps &= jumps - 1) visit(packed(from, lowest_bit(jumps)));
    }
  }

  // Clones (side, to), then jumps (side, from, direction), then passes (side).
  static FN u32 code_of(u32 turn, u32 from, u32 to) {
    // Columns and rows from -2 to 2, counted from 0; the directions are numbered row by row.
    u32 column = (to & 7) + 2 - (from & 7), row = (to >> 3) + 2 - (from >> 3);
    u32 direction = row == 0 ? column : row == 4 ? 11 + column : 3 + 2 * row + (column >> 2);
    return CODES == 2 || from == to ? turn * 64 + to : N_CLONES + (turn * 64 + from) * 16 + direction;
  }
  FN u32 code(u16 move) const {
    return move == PASS ? N_CLONES + N_JUMPS + side : code_of(side, move >> 6, move & 63);
  }

  FN void play(u16 move) {
    u64 moved = 0, flipped = 0;
    if (move != PASS) {
      int from = move >> 6, to = move & 63;
      moved = 1ull << to;
      stones_hash ^= zobrist_stone(side, to);
      if (from != to) {
        moved |= 1ull << from;
        stones_hash ^= zobrist_stone(side, from);
      }
      flipped = around(ADJACENT, to) & enemy;
      for (u64 rest = flipped; rest; rest &= rest - 1) {
        int cell = lowest_bit(rest);
        stones_hash ^= zobrist_stone(0, cell) ^ zobrist_stone(1, cell);
      }
    }
    u64 mine = own ^ (moved | flipped);
    own = enemy ^ flipped;
    enemy = mine;
    side ^= 1;
    // A tree shares nodes between plies, and can lead beyond the cap.
    left -= left > 0;
  }

  FN u64 hash() const { return stones_hash ^ zobrist_turn(is_black()); }

  // A move is drawn from slots: sixteen for each cell of the smaller of two sets, the own stones
  // (the draw is forward: jumps go from them) and the empty cells (backward), and one for each
  // empty cell, filled if a stone can be cloned to it. Slot k of a cell is filled by its jump of
  // rank k. Who draws an empty slot draws again. While nearly all cells are empty, the draw is
  // forward, and clones have slots only where they are possible.
  //
  // Each round of the loop draws one slot, so that threads in different plies stay together.
  template <class R>
  FN int playout(Rng& rng, R& record) const {
    u64 mine = own, theirs = enemy, free = empty();
    u32 turn = side, plies = left;
    bool is_early = SIZE == 8;
    // What is drawn from in this ply, and what is left of the word.
    bool is_forward = false;
    u64 clones = 0, fraction = 0;
    u32 n_clones = 0, n_first = 0, n_slots = 0, slots_left = 0;
    while (true) {
      if (slots_left == 0) {
        if (n_slots == 0) {
          // A ply begins.
          u32 n_own = count_bits(mine), n_empty = count_bits(free);
          if (plies == 0 || n_own == 0 || n_empty == 0) break;
          // Looked at in every second ply only.
          if (turn == side) is_early = is_early && n_empty >= (u32)EARLY;
          is_forward = is_early || n_own < n_empty;
          clones = is_early ? neighbours(mine) & free : free;
          n_clones = count_bits(clones);
          n_slots = is_forward ? 16 * n_own + n_clones : 17 * n_empty;
          n_first = is_forward ? n_slots : n_empty;
        } else if (fraction < 1ull << 62 && (neighbours(neighbours(mine)) & free) == 0) {
          // Seven empty slots were bad luck or all there is. Here the side has no move.
          record.push(N_CLONES + N_JUMPS + turn);
          u64 stones = mine;
          mine = theirs;
          theirs = stones;
          turn ^= 1;
          plies -= 1;
          n_slots = 0;
          continue;
        }
        u64 rest;
        do {
          fraction = rng.bits();
          rest = fraction * seventh_power(n_slots);
        } while (rest < seventh_power(n_slots) && rest < SURPLUS.of[n_slots]);
        slots_left = SLOTS_A_WORD;
      }
      slots_left -= 1;
      // Forward a slot is one number, backward a cell and one of seventeen; a number below 1
      // leaves the fraction as it is.
      u32 first = whole_part(fraction, n_first), second = whole_part(fraction, is_forward ? 1 : 17);
      bool is_clone = is_forward ? first < n_clones : second == 16;
      u32 jump = first - n_clones;
      u32 cell_rank = is_forward && !is_clone ? jump >> 4 : first, rank = is_forward ? jump & 15 : second;
      int cell = select_cell(is_forward ? is_clone ? clones : mine : free, cell_rank);
      u64 near = around(is_clone ? ADJACENT : RING, cell) & (is_forward && !is_clone ? free : mine);
      if (is_clone) rank = 0;
      if ((u32)count_bits(near) <= rank) continue;
      int other = select_cell(near, rank);
      int to = is_forward && !is_clone ? other : cell, from = is_clone || !is_forward ? other : cell;
      if (is_clone) from = to;
      record.push(code_of(turn, from, to));
      u64 moved = 1ull << to | 1ull << from, flipped = around(ADJACENT, to) & theirs;
      u64 stones = mine ^ (moved | flipped);
      mine = theirs ^ flipped;
      theirs = stones;
      free ^= moved;
      turn ^= 1;
      plies -= 1;
      slots_left = n_slots = 0;
    }
    return decided(mine, theirs, turn);
  }
};
