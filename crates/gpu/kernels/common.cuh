// What all kernels share: words, bits, and the random numbers of tesuji_core.
//
// The same sources are compiled for a GPU (by NVRTC, which has no standard library) and for
// the host (by a C++ compiler, for tests). A thread makes one simulation after the other by
// itself; nothing here depends on lanes or warps.
#pragma once

typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long long u64;
typedef int i32;
typedef long long i64;

#ifdef __CUDACC__
#define FN __device__ __forceinline__
// For what runs seldom: a call keeps it out of the loops' code.
#define SLOW_FN __device__ __noinline__
#else
#define FN inline
#define SLOW_FN inline
#endif

#ifndef MISERE
#define MISERE 0
#endif

#ifdef __CUDACC__
FN int count_bits(u32 x) { return __popc(x); }
FN int lowest_bit(u32 x) { return __ffs((int)x) - 1; } // x is not 0
FN int highest_bit(u32 x) { return 31 - __clz((int)x); } // x is not 0
FN u32 product_high(u32 a, u32 b) { return __umulhi(a, b); }
// The high word of (high:low) shifted left by 0 to 31, and the low one of it shifted right.
FN u32 shift_left(u32 low, u32 high, int by) { return __funnelshift_l(low, high, by); }
FN u32 shift_right(u32 low, u32 high, int by) { return __funnelshift_r(low, high, by); }
#else
FN int count_bits(u32 x) { return __builtin_popcount(x); }
FN int lowest_bit(u32 x) { return __builtin_ctz(x); }
FN int highest_bit(u32 x) { return 31 - __builtin_clz(x); }
FN u32 product_high(u32 a, u32 b) { return (u32)((u64)a * b >> 32); }
FN u32 shift_left(u32 low, u32 high, int by) { return (u32)(((u64)high << 32 | low) << by >> 32); }
FN u32 shift_right(u32 low, u32 high, int by) { return (u32)(((u64)high << 32 | low) >> by); }
#endif
FN int count_bits(u64 x) { return count_bits((u32)x) + count_bits((u32)(x >> 32)); }
FN int lowest_bit(u64 x) { return (u32)x ? lowest_bit((u32)x) : 32 + lowest_bit((u32)(x >> 32)); }

// The index of the set bit with this rank, counted from the lowest; there are more than rank.
FN int select_bit(u32 word, u32 rank) {
  int at = 0;
#pragma unroll
  for (int width = 16; width; width >>= 1) {
    u32 low = word & ((1u << width) - 1);
    u32 count = count_bits(low);
    if (rank >= count) {
      rank -= count;
      word >>= width;
      at += width;
    } else {
      word = low;
    }
  }
  return at;
}
// One selection, whichever half the bit is in: lanes of a warp do not part.
FN int select_bit(u64 word, u32 rank) {
  u32 count = count_bits((u32)word);
  bool is_high = rank >= count;
  u32 half = is_high ? (u32)(word >> 32) : (u32)word;
  return (is_high ? 32 : 0) + select_bit(half, is_high ? rank - count : rank);
}

// The word with these halves.
FN u64 joined(u32 low, u32 high) { return (u64)high << 32 | low; }

// The finaliser of SplitMix64 (tesuji_core::mix) and the Zobrist keys made of it.
FN u64 mix(u64 z) {
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
  return z ^ (z >> 31);
}
FN u64 zobrist_key(u32 fact) { return mix(((u64)fact + 1) * 0x9e3779b97f4a7c15ull); }
// Black is 0, White 1.
FN u64 zobrist_stone(u32 side, u32 point) { return zobrist_key(point * 2 + side); }
FN u64 zobrist_turn(bool is_black) { return is_black ? 0 : zobrist_key(1u << 20); }
FN u64 zobrist_extra(u32 fact) { return zobrist_key((1u << 21) + fact); }

// xoshiro256++ and the exact samplers of tesuji_core::Rng: the same bits, draw by draw.
struct Rng {
  u64 s0, s1, s2, s3;

  FN u64 bits() {
    u64 sum = s0 + s3;
    u64 result = (sum << 23 | sum >> 41) + s0;
    u64 t = s1 << 17;
    s2 ^= s0;
    s3 ^= s1;
    s1 ^= s2;
    s0 ^= s3;
    s2 ^= t;
    s3 = s3 << 45 | s3 >> 19;
    return result;
  }

  // Rng::below: bound is at least 1.
  FN u32 below(u32 bound) { return below_from((u32)(bits() >> 32), bound); }

  // Rng::below_from
  FN u32 below_from(u32 drawn, u32 bound) {
    u64 product = (u64)drawn * bound;
    if ((u32)product < bound) {
      u32 surplus = (0u - bound) % bound;
      while ((u32)product < surplus) product = (bits() >> 32) * (u64)bound;
    }
    return (u32)(product >> 32);
  }

  // Rng::below_from_short: -1 if bound is 0.
  FN int below_from_short(u32 drawn, u32 bound) {
    u32 product = drawn * bound;
    if ((product & 0xffff) <= (bound & 0xffff)) {
      if (bound == 0) return -1;
      u32 surplus = (1u << 16) % bound;
      while ((product & 0xffff) < surplus) product = (u32)(bits() >> 48) * bound;
    }
    return (int)(product >> 16);
  }
};

// tesuji_core::Seed: the address one step below, and the generator at its start.
FN void step_seed(u64 seed[2], u64 word) {
  u64 low = mix(seed[0] ^ mix(word + 0x9e3779b97f4a7c15ull));
  u64 high = mix((seed[1] + mix(word ^ 0x6a09e667f3bcc909ull)) ^ (low << 32 | low >> 32));
  seed[0] = low;
  seed[1] = high;
}
FN void seed_generator(u64 s[4], const u64 seed[2]) {
  const u64 golden = 0x9e3779b97f4a7c15ull;
  s[0] = mix(seed[0] + golden);
  s[1] = mix(seed[1] + golden);
  s[2] = mix(seed[0] + 2 * golden);
  s[3] = mix(seed[1] + 2 * golden);
}
// The root of a tree of addresses: Seed::new.
FN void root_seed(u64 seed[2], u64 root) {
  seed[0] = mix(root + 0x9e3779b97f4a7c15ull);
  seed[1] = mix(root ^ 0x6a09e667f3bcc909ull);
}

// tesuji_core::Pool: three numbers of each draw.
struct Pool {
  u64 left = 1;

  FN int below(Rng& rng, u32 bound) {
    if (left == 1) left = rng.bits() >> 16 | 1ull << 48;
    u32 drawn = (u32)left & 0xffff;
    left >>= 16;
    return rng.below_from_short(drawn, bound);
  }
};

// The moves of a simulation from the root of the search to the position at hand: Go alone
// asks for it, since superko forbids the boards on the way.
struct Way {
  const u32* root; // the encoded root
  int length;
  const u16* moves;

  FN u16 move(int at) const { return moves[at]; }
};

// Records the codes first + i for the set bits i: at once if the record has a push_set of its own.
template <class R> FN auto push_set(R& record, u32 first, u32 bits, int) -> decltype(record.push_set(first, bits)) {
  return record.push_set(first, bits);
}
template <class R> FN void push_set(R& record, u32 first, u32 bits, long) {
  for (; bits; bits &= bits - 1) record.push(first + lowest_bit(bits));
}
template <class R> FN void push_set(R& record, u32 first, u32 bits) { push_set(record, first, bits, 0); }

// The draws of the CPU's playout in a game that is over: a search on the CPU values an end by a
// playout too. There are none, unless the position has a draw_at_end of its own.
template <class P> FN auto draw_at_end(const P& position, Rng& rng, int) -> decltype(position.draw_at_end(rng)) {
  return position.draw_at_end(rng);
}
template <class P> FN void draw_at_end(const P&, Rng&, long) {}
template <class P> FN void draw_at_end(const P& position, Rng& rng) { draw_at_end(position, rng, 0); }

// Each game's header defines `struct Position`:
//
//   static const int MOST_MOVES, N_CODES;   // of search moves; of AMAF codes
//   static const bool HAS_CYCLES;           // whether a position can come back
//   void load(const u32* words);            // what Game::encoded gives
//   bool is_black() const;                  // whose turn it is
//   int outcome() const;                    // Black's reward in halves, 0, 1 or 2; -1 while it goes on
//   void for_each_search_move(const Way& way, F visit) const;  // visit(u16 move), in the order of the CPU
//   u32 code(u16 move) const;               // Game::code
//   void play(u16 move);
//   u64 hash() const;                       // Game::hash
//   int playout(Rng& rng, R& record) const; // of a game that goes on; Black's reward in halves
//   void draw_at_end(Rng& rng) const;       // of a game that is over; only if the CPU draws there
//
// A playout calls record.push(u32 code) for each move, or push_set(record, first, bits) above.
// All of them are FN, and without the misère twin, which the search adds: reward() below.
FN int reward(int halves) { return MISERE && halves >= 0 ? 2 - halves : halves; }
