// Sets of points of a Go board, as bits: row by row from the bottom left, one bit more a row
// than points, so that a step to the left or right cannot leave its row.
#pragma once
#include "common.cuh"

#if SIZE <= 7
static const int STRIDE = 8, WORDS = 2;
#elif SIZE <= 9
static const int STRIDE = 10, WORDS = 3;
#else
static const int STRIDE = 11, WORDS = 4;
#endif
static const int N_POINTS = SIZE * SIZE;

struct Set {
  u32 w[WORDS];
};

#define EACH_WORD _Pragma("unroll") for (int i = 0; i < WORDS; i++)

FN Set none() {
  Set r;
  EACH_WORD r.w[i] = 0;
  return r;
}
FN Set operator&(const Set& a, const Set& b) {
  Set r;
  EACH_WORD r.w[i] = a.w[i] & b.w[i];
  return r;
}
FN Set operator|(const Set& a, const Set& b) {
  Set r;
  EACH_WORD r.w[i] = a.w[i] | b.w[i];
  return r;
}
FN Set without(const Set& a, const Set& b) {
  Set r;
  EACH_WORD r.w[i] = a.w[i] & ~b.w[i];
  return r;
}
FN bool is_none(const Set& a) {
  u32 all = 0;
  EACH_WORD all |= a.w[i];
  return all == 0;
}
FN bool is_disjoint(const Set& a, const Set& b) { return is_none(a & b); }
FN bool is_subset(const Set& a, const Set& b) { return is_none(without(a, b)); }
FN bool is_same(const Set& a, const Set& b) {
  u32 all = 0;
  EACH_WORD all |= a.w[i] ^ b.w[i];
  return all == 0;
}
FN int count(const Set& a) {
  int n = 0;
  EACH_WORD n += count_bits(a.w[i]);
  return n;
}
// Shifted towards higher and lower bits.
template <int BY>
FN Set up(const Set& a) {
  Set r;
  EACH_WORD r.w[i] = i == 0 ? a.w[0] << BY : shift_left(a.w[i ? i - 1 : 0], a.w[i], BY);
  return r;
}
template <int BY>
FN Set down(const Set& a) {
  Set r;
  EACH_WORD r.w[i] = i == WORDS - 1 ? a.w[i] >> BY : shift_right(a.w[i], a.w[i + 1 < WORDS ? i + 1 : i], BY);
  return r;
}
// The neighbours of a set's points.
FN Set spread(const Set& a) { return up<1>(a) | down<1>(a) | up<STRIDE>(a) | down<STRIDE>(a); }
// Those of a single point, and its diagonal ones.
FN Set diagonals(const Set& a) {
  Set sides = up<1>(a) | down<1>(a);
  return up<STRIDE>(sides) | down<STRIDE>(sides);
}
// The points with two points of the set or more next to them.
FN Set spread_twice(const Set& x) {
  Set a = up<1>(x), b = down<1>(x), c = up<STRIDE>(x), d = down<STRIDE>(x);
  return (a & b) | (c & d) | ((a | b) & (c | d));
}
FN Set single(int index) {
  Set r;
  EACH_WORD r.w[i] = i == index >> 5 ? 1u << (index & 31) : 0;
  return r;
}
FN bool contains(const Set& a, int index) { return !is_disjoint(a, single(index)); }

constexpr u32 points_word(int word, bool only_edge) {
  u32 bits = 0;
  for (int bit = 0; bit < 32; bit++) {
    int index = word * 32 + bit, x = index % STRIDE, y = index / STRIDE;
    bool is_edge = x == 0 || y == 0 || x == SIZE - 1 || y == SIZE - 1;
    if (x < SIZE && y < SIZE && (is_edge || !only_edge)) bits |= 1u << bit;
  }
  return bits;
}
// A word of the points, or of those on the edge, computed by the compiler.
template <int WORD, bool ONLY_EDGE>
struct PointsWord {
  static constexpr u32 VALUE = WORD < WORDS ? points_word(WORD, ONLY_EDGE) : 0;
};
template <bool ONLY_EDGE>
FN Set points() {
  const u32 words[4] = {PointsWord<0, ONLY_EDGE>::VALUE, PointsWord<1, ONLY_EDGE>::VALUE,
                        PointsWord<2, ONLY_EDGE>::VALUE, PointsWord<3, ONLY_EDGE>::VALUE};
  Set r;
  EACH_WORD r.w[i] = words[i];
  return r;
}
FN Set all_points() { return points<false>(); }
FN Set edge_points() { return points<true>(); }

FN int first(const Set& a) {
  int at = 0;
#pragma unroll
  for (int i = WORDS - 1; i >= 0; i--)
    if (a.w[i]) at = 32 * i + lowest_bit(a.w[i]);
  return at;
}
FN int select_in_order(const Set& a, u32 rank) {
  int at = 0;
  u32 word = a.w[0];
#pragma unroll
  for (int i = 1; i < WORDS; i++) {
    u32 n = count_bits(word);
    bool is_further = rank >= n && at == 32 * (i - 1);
    if (is_further) {
      rank -= n;
      word = a.w[i];
      at = 32 * i;
    }
  }
  return at + select_bit(word, rank);
}
// The point with this rank in the order in which the CPU's playouts draw: on boards from 8 on
// the five lowest rows upwards, then the others from the top down.
FN int select(const Set& a, u32 rank) {
#if SIZE <= 7
  return select_in_order(a, rank);
#else
  Set low = a;
  const int cut = 5 * STRIDE;
  EACH_WORD if (32 * i >= cut) low.w[i] = 0;
  else if (32 * i + 32 > cut) low.w[i] &= (1u << (cut % 32)) - 1;
  u32 n = count(low);
  if (rank < n) return select_in_order(low, rank);
  rank -= n;
  int y = SIZE - 1;
  u32 row = 0;
#pragma unroll
  for (int at = SIZE - 1; at >= 5; at--) {
    const int bit = at * STRIDE, word = bit / 32;
    u32 here = bit % 32 + SIZE <= 32 ? a.w[word] >> (bit % 32)
                                     : shift_right(a.w[word], a.w[word + 1 < WORDS ? word + 1 : word], bit % 32);
    here &= (1u << SIZE) - 1;
    u32 m = count_bits(here);
    if (y == at) {
      row = here;
      if (rank >= m) {
        rank -= m;
        y = at - 1;
      }
    }
  }
  return y * STRIDE + select_bit(row, rank);
#endif
}
FN int dense(int index) { return index / STRIDE * SIZE + index % STRIDE; }

template <class F>
FN void for_each(const Set& a, F visit) {
#pragma unroll
  for (int i = 0; i < WORDS; i++) {
    u32 word = a.w[i];
    while (word) {
      visit(32 * i + lowest_bit(word));
      word &= word - 1;
    }
  }
}

// All of `within` that is connected to the seeds.
FN Set flood(const Set& seeds, const Set& within) {
  Set reached = seeds;
  while (true) {
    Set more = spread(reached) & within;
    if (is_subset(more, reached)) return reached;
    reached = reached | more;
  }
}
FN Set alive(const Set& stones, const Set& empty) { return flood(spread(empty) & stones, stones); }
FN bool any_alive(const Set& asked, const Set& stones, const Set& empty) {
  Set reached = spread(empty) & stones;
  while (is_disjoint(asked, reached)) {
    Set more = spread(reached) & stones;
    if (is_subset(more, reached)) return false;
    reached = reached | more;
  }
  return true;
}
// The liberties of chains that have one only, and those chains.
FN void in_atari(const Set& stones, const Set& empty, Set& liberties, Set& chains) {
  Set rest = without(stones, flood(spread_twice(empty) & stones, stones));
  liberties = chains = none();
  while (!is_none(rest)) {
    Set chain = flood(single(first(rest)), stones);
    Set beside = spread(chain) & empty;
    if (count(beside) == 1) {
      liberties = liberties | beside;
      chains = chains | chain;
    }
    rest = without(rest, chain);
  }
}
// The points that stones on diagonals keep from being eyes.
FN Set spoilt_eyes(const Set& stones) {
  Set a = up<STRIDE + 1>(stones), b = up<STRIDE - 1>(stones), c = down<STRIDE + 1>(stones),
      d = down<STRIDE - 1>(stones);
  Set one = a | b | c | d, two = (a & b) | (c & d) | ((a | b) & (c | d));
  return two | (one & edge_points());
}
FN int area_difference(const Set& black, const Set& white, const Set& empty) {
  Set from_black = flood(spread(black) & empty, empty), from_white = flood(spread(white) & empty, empty);
  return count(black) + count(without(from_black, from_white)) - count(white) - count(without(from_white, from_black));
}
