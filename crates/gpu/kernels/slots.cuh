// What searches keep in device memory: nodes, moves and their statistics, in a slot of each search.
#pragma once
#include "common.cuh"
#include "launch.cuh"

// The threads of a block, and the blocks that should fit on a multiprocessor.
#ifndef BLOCK
#define BLOCK 128
#endif
#ifndef BLOCKS
#define BLOCKS 6
#endif

// Tree policies.
#define FLAT 0
#define UCT 1
#define RAVE 2
#ifndef TREE
#define TREE RAVE
#endif
// Whether positions that several ways lead to share statistics.
#ifndef TRANSPOSITIONS
#define TRANSPOSITIONS 1
#endif
// Whether a node's AMAF statistics count the moves before it too.
#ifndef WHOLE
#define WHOLE 0
#endif
// Whether counts need more than 16 bits: above 32,767 samples a search.
#ifndef WIDE
#define WIDE 0
#endif

// Whether the root keeps AMAF statistics though the tree does not.
#ifndef ROOT_AMAF
#define ROOT_AMAF 0
#endif
#define MARKS (TREE == RAVE || ROOT_AMAF)
// Whether a new position is valued by several playouts: leaf.cuh.
#ifndef PRIOR
#define PRIOR 0
#endif

// The most samples of an arm in a job whose outcomes are told one by one; 0: only sums are told.
#ifndef AHEAD
#define AHEAD 0
#endif

#ifdef __CUDACC__
FN bool any_lane(bool is) { return __any_sync(~0u, is); }
FN void join_lanes() { __syncwarp(); }
FN float square_root(float x) { return __fsqrt_rn(x); }
FN u32 float_bits(float x) { return __float_as_uint(x); }
#else
FN bool any_lane(bool is) { return is; }
FN void join_lanes() {}
FN float square_root(float x) { return __builtin_sqrtf(x); }
FN u32 float_bits(float x) {
  u32 bits;
  __builtin_memcpy(&bits, &x, 4);
  return bits;
}
#endif

#if WIDE
typedef u32 Count;
typedef u32 NodeId;
#else
typedef u16 Count;
typedef u16 NodeId;
#endif

// Sums of rewards: in halves, or as the CPU keeps them if means of playouts are rewards too.
#if PRIOR
typedef u32 Visits;
typedef float Sum;
FN float rewards(Sum sum) { return sum; }
FN u32 sum_word(Sum sum) { return float_bits(sum); }
#else
typedef Count Visits;
typedef Count Sum;
FN float rewards(Sum halves) { return 0.5f * (float)halves; }
FN u32 sum_word(Sum halves) { return halves; }
#endif

// tesuji_search: marks::MOST_DEPTH
static const int MOST_DEPTH = 1023;
static const u32 TREE_ROOT = 0xffffffffu; // the arm of a job whose root is a node
static const int N_MARKS = (Position::N_CODES + 31) / 32;

static const u8 NEW = 0, OPEN = 1, KNOWN = 2;
// What a slot had no room for.
static const u32 FULL_NODES = 1, FULL_EDGES = 2;

// A position in the tree. Ids begin with 1; 0 is none.
struct Node {
  u32 first; // its moves, in units of the slot's pool
  u16 n_moves;
  u8 state;
  u8 known; // Black's reward in halves, if the outcome is known
  u32 visits;
  u32 stamp; // the last simulation that came through
};

// The statistics of a move in rewards of the side that makes it.
struct alignas((TREE == RAVE ? 4 : 2) * sizeof(Visits)) Stats {
  Visits visits;
  Sum sum;
#if TREE == RAVE
  Visits amaf_visits;
  Sum amaf_sum;
#endif
};

// What an arm has given: Black's rewards.
struct Arm {
  u64 rng[4];
  u32 root; // its first node, or 0
  u32 stamp;
  u32 visits, halves, draws;
  u32 padding;
#if AHEAD
  u32 outcomes[AHEAD / 16]; // of the samples of the last job: Black's reward in halves, two bits each
#endif
};

struct Search {
  u64 base; // its slot in memory
  u32 n_words, n_arms;
  float bias;
  u32 flags; // what was too small: the search has to be made elsewhere
  double c;
  u32 n_nodes, n_units; // in use
  u64 amaf; // where the root keeps AMAF statistics: 1, else 0
  u32 spread, playouts, last_playouts, padding; // of leaves, if they have several playouts
};

struct Job {
  u32 search, arm, samples, done;
};

// A search that begins.
struct Start {
  u64 seed[2]; // of its generators: one for each arm, or number 0 for the tree
  u64 base;
  double c;
  u64 amaf;
  u32 search, is_tree, words, n_words; // words: where its root begins in what the host sent
  float bias;
  u32 spread, playouts, last_playouts;
};

struct Params {
  u64 searches, jobs, next_job, root_logs; // root_logs: √ln N by N, doubles
  u64 slice;                               // how long a launch may last, in ns
  u64 told;                                // what `collect` writes
  u64 starts, start_words;
  u32 n_jobs, most_nodes, index_size, most_units, words_offset, arms_offset, amaf_offset, nodes_offset,
      keys_offset, ids_offset, edges_offset, told_words;
  u32 lanes; // the threads of a warp that take jobs
  u32 padding;
};

static const u32 UNIT = 16;

struct Slot {
  u8* base;
  const Params* p;
  FN const u32* words() const { return (const u32*)(base + p->words_offset); }
  FN Arm* arms() const { return (Arm*)(base + p->arms_offset); }
  FN u64* amaf() const { return (u64*)(base + p->amaf_offset); }
  FN Node* nodes() const { return (Node*)(base + p->nodes_offset); }
  FN u64* keys() const { return (u64*)(base + p->keys_offset); }
  FN NodeId* ids() const { return (NodeId*)(base + p->ids_offset); }
  FN u8* edges(u32 first) const { return base + p->edges_offset + (u64)first * UNIT; }
};

// The moves of a node: statistics, then children, moves and codes.
struct Edges {
  Stats* stats;
  NodeId* children;
  u16* moves;
  u16* codes;
  FN Edges(const Slot& slot, u32 first, int n) {
    u8* at = slot.edges(first);
    stats = (Stats*)at;
    at += sizeof(Stats) * ((n + 1) & ~1);
    children = (NodeId*)at;
    moves = (u16*)(children + n);
    codes = moves + n;
  }
  FN static u32 units(int n) {
    u32 bytes = sizeof(Stats) * ((n + 1) & ~1) + n * (sizeof(NodeId) + 2 + 2);
    return (bytes + UNIT - 1) / UNIT;
  }
};

// Which codes were played.
struct Marks {
  u32 words[N_MARKS];
  FN void clear() {
    for (int i = 0; i < N_MARKS; i++) words[i] = 0;
  }
  FN void push(u32 code) { words[code >> 5] |= 1u << (code & 31); }
  FN void push_set(u32 first, u32 bits) {
    u32 shift = first & 31, rest = bits >> 1 >> (31 - shift);
    words[first >> 5] |= bits << shift;
    if (rest) words[(first >> 5) + 1] |= rest;
  }
  FN u32 has(u32 code) const { return words[code >> 5] >> (code & 31) & 1; }
};

struct Silence {
  FN void push(u32) {}
  FN void push_set(u32, u32) {}
};
