// Atarigo and NoGo on boards from 2 to 10: stones without passing.
//
// SIZE is the board's size. CAPTURE_WINS is 1 for Atarigo, where the first capture wins, and 0
// for NoGo, where captures are illegal.
#pragma once
#include "common.cuh"

// A set of points, in one of three layouts. The order of a set's points (the lowest bit of the
// first word first, unless `select` says otherwise) is that of the CPU's sets, since it decides
// which point a random number picks. Every row has a bit more than points, so that a step
// sideways cannot reach another row; bits that are no points may be set in what `spread` returns.
#if SIZE <= 7
// Rows of 8 bits: 0 to 3 in a, 4 to 6 in b.
typedef u32 Word;
#define THIRD(...)
#elif SIZE <= 9
// Rows of 10 bits, the second half folded: 0 to 2 in a from its bit 2, 3 to 5 in b from its
// bit 0, so that the words are one run of rows; 8 to 6, downwards, in c. Rows 5 and 6, which
// meet at the fold, have the same place in b and c. The CPU's order of rows is 0 to 4, 8 to 5.
typedef u32 Word;
#define THIRD(...) __VA_ARGS__
#else
// The CPU's own layout: rows of 11 bits, 0 to 4 in a, 9 to 5, downwards, in b.
typedef u64 Word;
#define THIRD(...)
#endif

struct Points {
  Word a, b THIRD(, c);

  static const int BITS = 8 * sizeof(Word);

  FN Points operator&(Points o) const { return {a & o.a, b & o.b THIRD(, c & o.c)}; }
  FN Points operator|(Points o) const { return {a | o.a, b | o.b THIRD(, c | o.c)}; }
  FN Points without(Points o) const { return {a & ~o.a, b & ~o.b THIRD(, c & ~o.c)}; }
  FN bool any() const { return (a | b THIRD(| c)) != 0; }
  FN bool meets(Points o) const { return (*this & o).any(); }
  FN bool is_within(Points o) const { return !without(o).any(); }
  FN int count() const { return count_bits(a) + count_bits(b) THIRD(+count_bits(c)); }

  // The set of the first of these points, in the order of bits; there is one.
  FN Points first() const {
    Word no_a = a ? 0 : ~(Word)0;
    THIRD(Word no_b = b ? 0 : no_a;)
    return {a & (0 - a), b & (0 - b) & no_a THIRD(, c & (0 - c) & no_b)};
  }

  // A point's index: BITS times its word, plus its bit.
  static FN constexpr int index(int x, int y) {
#if SIZE <= 7
    return 8 * y + x;
#elif SIZE <= 9
    return y < 6 ? 10 * y + x + 2 : 64 + 10 * (8 - y) + x;
#else
    return y < 5 ? 11 * y + x : 64 + 11 * (9 - y) + x;
#endif
  }

  // A point's number, row by row from the bottom left.
  static FN u32 dense(u32 index) {
#if SIZE <= 7
    return index - (index >> 3) * (8 - SIZE);
#elif SIZE <= 9
    u32 bit = index < 64 ? index - 2 : index - 64, row = bit / 10, x = bit - 10 * row;
    return (index < 64 ? row : 8 - row) * SIZE + x;
#else
    u32 bit = index & 63, row = bit / 11, x = bit - 11 * row;
    return (index < 64 ? row : 9 - row) * SIZE + x;
#endif
  }

  static FN Points single(int index) {
    Word bit = (Word)1 << (index & (BITS - 1));
    int word = index / BITS;
    return {word == 0 ? bit : 0, word == 1 ? bit : 0 THIRD(, word == 2 ? bit : 0)};
  }

  // One row, from its left.
  FN u32 row(int y) const {
    int at = index(0, y), word = at / BITS;
    Word bits = word == 0 ? a : THIRD(word == 2 ? c :) b;
    return (u32)(bits >> (at & (BITS - 1))) & ((1u << SIZE) - 1);
  }

  static FN constexpr Word word_of_board(int word) {
    Word bits = 0;
    for (int y = 0; y < SIZE; y++)
      for (int x = 0; x < SIZE; x++)
        if (index(x, y) / BITS == word) bits |= (Word)1 << (index(x, y) % BITS);
    return bits;
  }
  static FN Points board() {
    constexpr Word in_a = word_of_board(0), in_b = word_of_board(1);
    THIRD(constexpr Word in_c = word_of_board(2);)
    return {in_a, in_b THIRD(, in_c)};
  }

  // The set moved by one column or row.
  FN Points left() const { return {a >> 1, b >> 1 THIRD(, c >> 1)}; }
  FN Points right() const { return {a << 1, b << 1 THIRD(, c << 1)}; }
#if SIZE <= 7
  FN Points up() const { return {a << 8, shift_left(a, b, 8)}; }
  FN Points down() const { return {shift_right(a, b, 8), b >> 8}; }
#elif SIZE <= 9
  // In the last word up is down. The fold is crossed in both directions by `down`.
  static const u32 FOLD = 0x3ffu << 20;
  FN Points up() const { return {a << 10, shift_left(a, b, 10), c << 10}; }
  FN Points down() const { return {shift_right(a, b, 10), b >> 10 | (c & FOLD), c >> 10 | (b & FOLD)}; }
#else
  static const u64 FOLD = 0x7ffull << 44;
  FN Points up() const { return {a << 11, b << 11}; }
  FN Points down() const { return {a >> 11 | (b & FOLD), b >> 11 | (a & FOLD)}; }
#endif

  // The orthogonal neighbours of the set's points.
  FN Points spread() const { return left() | right() | up() | down(); }

  // The points with two or more points of the set next to them.
  FN Points spread_twice() const {
    Points l = left(), r = right(), u = up(), d = down();
    return (l & r) | (u & d) | ((l | r) & (u | d));
  }

  // The point with this rank, in the order of the CPU: its index, and the set of it alone.
  FN int select(u32 rank, Points& point) const {
    u32 in_a = count_bits(a);
#if SIZE > 7 && SIZE <= 9
    // Rows 0 to 4, then c, then row 5.
    u32 in_b = count_bits(b & 0xfffff), in_c = count_bits(c);
    bool is_a = rank < in_a, is_c = rank >= in_a + in_b && rank < in_a + in_b + in_c;
    u32 word = is_a ? a : is_c ? c : b;
    rank -= is_a ? 0 : is_c ? in_a + in_b : rank < in_a + in_b ? in_a : in_a + in_c;
    int at = select_bit(word, rank);
    u32 bit = 1u << at;
    point = {is_a ? bit : 0, is_a || is_c ? 0 : bit, is_c ? bit : 0};
    return at + (is_a ? 0 : is_c ? 64 : 32);
#else
    bool is_a = rank < in_a;
    int at = select_bit(is_a ? a : b, is_a ? rank : rank - in_a);
    Word bit = (Word)1 << at;
    point = {is_a ? bit : 0, is_a ? 0 : bit};
    return is_a ? at : at + BITS;
#endif
  }
};

// All of `within` that is connected to `seeds`, which lie in it.
FN Points flood(Points seeds, Points within) {
  while (true) {
    Points more = (seeds.spread() & within) | seeds;
    if (more.is_within(seeds)) return seeds;
    seeds = more;
  }
}

// The chains of `stones` with one liberty only, and these liberties.
struct Atari {
  Points liberties, chains;
};
FN Atari in_atari(Points stones, Points empty) {
  // A stone with two liberties of its own settles its chain, which leaves few.
  Points rest = stones.without(flood(empty.spread_twice() & stones, stones));
  Atari found = {};
  while (rest.any()) {
    Points chain = flood(rest.first(), stones);
    Points liberties = chain.spread() & empty;
    if (liberties.count() == 1) {
      found.liberties = found.liberties | liberties;
      found.chains = found.chains | chain;
    }
    rest = rest.without(chain);
  }
  return found;
}

// The points on which a stone may be played, while nothing is captured.
SLOW_FN Points playable(Points own, Points enemy) {
  Points empty = Points::board().without(own).without(enemy);
  Points captures = in_atari(enemy, empty).liberties;
  Points breathing = empty & empty.spread();
  if (!empty.is_within(breathing)) {
    // A stone without an empty point next to it lives on a friend's other liberty.
    Points weak = in_atari(own, empty).chains;
    breathing = breathing | (own.without(weak).spread() & empty);
  }
  return CAPTURE_WINS ? breathing | captures : breathing.without(captures);
}

// What a stone on an empty point would do. `lives` is not looked into if it captures.
struct Effect {
  bool captures, lives;
};

// `rest` is what would stay empty. Stones next to it are alive, and mostly these are all that
// is asked for; otherwise a chain grows from the stone in question until it touches one of them.
FN Effect effect(Points point, Points own, Points enemy, Points rest) {
  Points near = point.spread(), breathing = rest.spread();
  Points friends = near & own, doubtful = (near & enemy).without(breathing);
  Effect found = {false, near.meets(rest) || friends.meets(breathing)};
  bool asks_own = !found.lives && friends.any();
  while (doubtful.any() || asks_own) {
    bool is_enemy = doubtful.any();
    Points stones = is_enemy ? enemy : own, chain = is_enemy ? doubtful.first() : friends;
    bool is_alive, is_whole;
    do {
      Points more = (chain.spread() & stones) | chain;
      is_alive = more.meets(breathing);
      is_whole = more.is_within(chain);
      chain = more;
    } while (!is_alive && !is_whole);
    if (is_enemy) {
      if (!is_alive) {
        found.captures = true;
        break;
      }
      doubtful = doubtful.without(chain);
    } else {
      found.lives = is_alive;
      asks_own = false;
    }
  }
  return found;
}

struct Position {
  static const bool HAS_CYCLES = false;
  static const int MOST_MOVES = SIZE * SIZE, N_CODES = 2 * SIZE * SIZE;

  Points own, enemy; // of the side to move, and of the other
  u32 side;          // to move: 0 is Black
  u32 is_captured;   // whether the last move has captured, which ended the game
  u64 stones_hash;

  // Both sets, the side, whether it is over by a capture, and the hash of the stones: the low
  // halves of words of 64 bits come first.
  FN void load(const u32* words) {
#if SIZE <= 9
    const int n = sizeof(Points) / sizeof(u32);
    own = {words[0], words[1] THIRD(, words[2])};
    enemy = {words[n], words[n + 1] THIRD(, words[n + 2])};
#else
    const int n = 4;
    own = {words[0] | (u64)words[1] << 32, words[2] | (u64)words[3] << 32};
    enemy = {words[4] | (u64)words[5] << 32, words[6] | (u64)words[7] << 32};
#endif
    side = words[2 * n];
    is_captured = words[2 * n + 1];
    stones_hash = words[2 * n + 2] | (u64)words[2 * n + 3] << 32;
  }

  FN bool is_black() const { return side == 0; }
  FN Points empty() const { return Points::board().without(own).without(enemy); }
  // Black's reward in halves if this side loses.
  static FN int loss(u32 loser) { return loser ? 2 : 0; }

  FN int outcome() const {
    if (is_captured) return loss(side);
    // A glance mostly shows a legal move: an empty point next to another, and next to no enemy
    // if captures are illegal.
    Points free = empty(), open = free & free.spread();
    if (!CAPTURE_WINS) open = open.without(enemy.spread());
    return open.any() || playable(own, enemy).any() ? -1 : loss(side);
  }

  // A move is the number of a point, row by row from the bottom left.
  template <class F>
  FN void for_each_search_move(const Way&, F visit) const {
    if (is_captured) return;
    Points points = playable(own, enemy);
#pragma unroll 1
    for (int y = 0; y < SIZE; y++)
      for (u32 row = points.row(y); row; row &= row - 1) visit((u16)(y * SIZE + lowest_bit(row)));
  }

  FN u32 code(u16 move) const { return side * (SIZE * SIZE) + move; }

  FN void play(u16 move) {
    int y = move / SIZE;
    Points point = Points::single(Points::index(move - y * SIZE, y));
    is_captured = CAPTURE_WINS && effect(point, own, enemy, empty().without(point)).captures;
    Points moved = own | point;
    own = enemy;
    enemy = moved;
    stones_hash ^= zobrist_stone(side, move);
    side ^= 1;
  }

  FN u64 hash() const { return stones_hash ^ zobrist_turn(is_black()); }

  // Where no move is left, the CPU draws all empty points in turn before it says so.
  FN void draw_at_end(Rng& rng) const {
    if (is_captured) return;
    Pool pool;
    for (int n = empty().count(); pool.below(rng, n) >= 0; n--) {
    }
  }

  // A turn draws empty points until one is legal. Each round of the loop is one such point, so
  // that threads in different turns stay together.
  template <class R>
  FN int playout(Rng& rng, R& record) const {
    if (is_captured) return loss(side);
    Points mine = own, theirs = enemy, free = empty();
    // The points that may still be legal for the side to move, and, if captures are illegal,
    // for the other: a point once forbidden to a side stays so.
    Points candidates = free, others = free;
    u32 turn = side;
    Pool pool;
    while (true) {
      int rank = pool.below(rng, candidates.count());
      if (rank < 0) return loss(turn);
      Points point;
      int index = candidates.select(rank, point);
      Points rest = free.without(point);
      candidates = candidates.without(point);
      Effect found = effect(point, mine, theirs, rest);
      bool is_played = CAPTURE_WINS ? found.captures || found.lives : !found.captures && found.lives;
      if (!is_played) continue;
      record.push(turn * (SIZE * SIZE) + Points::dense(index));
      if (CAPTURE_WINS && found.captures) return loss(turn ^ 1);
      turn ^= 1;
      free = rest;
      Points moved = mine | point, mine_left = candidates;
      mine = theirs;
      theirs = moved;
      candidates = CAPTURE_WINS ? rest : others.without(point);
      others = mine_left;
    }
  }
};
