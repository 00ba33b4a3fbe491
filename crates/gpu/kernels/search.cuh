// Searches: trees in device memory, and simulations as those of tesuji_search's kernel.rs.
//
// Every search has a slot: a stretch of memory with its root, its arms, and a pool for nodes
// and moves. A job is a number of samples of one arm of one search, or of its tree if the root
// is a node like any other. A thread makes the samples of a job one after the other; jobs share
// nothing but the slot's pool, its index of positions (under keys of their own) and the sums of
// root AMAF, which are whole numbers, so the order in which threads work changes no result.
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
static const u8 FULL_NODES = 1, FULL_EDGES = 2, FULL_PATH = 4;

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

// What a thread works with.
struct Simulator {
  const Params* p;
  Search* search;
  Slot slot;
  u32 arm;
  u32 stamp;
  int length;
  NodeId path[MOST_DEPTH];
  u16 chosen[MOST_DEPTH];
  u16 moves[MOST_DEPTH + 1];
#if MARKS
  Marks marks;
#endif

  FN void is_full(u32 flag) { search->flags |= flag; }

  FN u32 new_node() {
    u32 id = atomic_add(&search->n_nodes, 1u);
    if (id >= p->most_nodes) {
      is_full(FULL_NODES);
      return 0;
    }
    Node node = {0, 0, NEW, 0, 0, 0};
    slot.nodes()[id] = node;
    return id;
  }

  // The node of a position, and whether it is new; 0 if there is no room.
  FN u32 find_or_add(u64 hash, bool& is_new) {
    is_new = true;
#if TRANSPOSITIONS
    u64 key = hash ^ mix((u64)arm + 1);
    if (key == 0) key = 1;
    u64* keys = slot.keys();
    u32 mask = p->index_size - 1, at = (u32)key & mask, id = 0;
    while (true) {
      u64 found = keys[at];
      if (found == 0) {
        if (id == 0) id = new_node();
        if (id == 0) return 0;
        found = atomic_cas(&keys[at], 0ull, key);
        if (found == 0) {
          slot.ids()[at] = (NodeId)id;
          return id;
        }
      }
      if (found == key) {
        is_new = false;
        return slot.ids()[at];
      }
      at = (at + 1) & mask;
    }
#else
    return new_node();
#endif
  }

  // Lists the moves of a new node, or finds that the game is over there.
  FN bool open(Node& node, const Position& position) {
    int outcome = reward(position.outcome());
    if (outcome >= 0) {
      node.state = KNOWN;
      node.known = (u8)outcome;
      return true;
    }
    Way way{slot.words(), length + (arm == TREE_ROOT ? 0 : 1), moves + (arm == TREE_ROOT ? 1 : 0)};
    int n = 0;
    u16 listed[Position::MOST_MOVES];
    position.for_each_search_move(way, [&](u16 move) { listed[n++] = move; });
    u32 units = Edges::units(n);
    u32 first = atomic_add(&search->n_units, units);
    if (first + units > p->most_units) {
      is_full(FULL_EDGES);
      return false;
    }
    Edges edges(slot, first, n);
    Stats none = {};
    for (int i = 0; i < n; i++) {
      edges.stats[i] = none;
      edges.children[i] = 0;
      edges.moves[i] = listed[i];
#if MARKS
      edges.codes[i] = (u16)position.code(listed[i]);
#endif
    }
    node.first = first;
    node.n_moves = (u16)n;
    node.state = OPEN;
    return true;
  }

  // The move with the greatest value, the first of equals.
  FN int select(const Node& node, const Edges& edges) const {
    int n = node.n_moves, best = 0;
#if TREE == UCT
    float greatest = -1.0f;
    float explored = (float)(search->c * ((const double*)p->root_logs)[node.visits]);
    for (int i = 0; i < n; i++) {
      Stats s = edges.stats[i];
      // Every move once first, in order.
      if (s.visits == 0) return i;
      float visits = (float)s.visits;
      float mean = rewards(s.sum) / visits;
      float value = mean + explored * (1.0f / square_root(visits));
      if (value > greatest) {
        greatest = value;
        best = i;
      }
    }
#elif TREE == RAVE
    float greatest = -1.0f, bias = search->bias;
    for (int i = 0; i < n; i++) {
      Stats x = edges.stats[i];
      float t = (float)x.visits, s = (float)x.amaf_visits;
      float w = rewards(x.sum), v = rewards(x.amaf_sum);
      float factor = 1.0f + bias * s;
      float value = (factor * w + v) / (s + factor * t);
      if (x.visits == 0 && x.amaf_visits == 0) return i; // infinite: the first of them
      if (value > greatest) {
        greatest = value;
        best = i;
      }
    }
#endif
    return best;
  }

  // Goes down until a position is to be valued, or is known. Returns the reward if it is known,
  // else -1; `leaf` is the node to be valued, or 0.
  FN int descend(u32 root, Position& position, u32& leaf) {
    int prefix = arm == TREE_ROOT ? 0 : 1;
    u32 id = root;
    leaf = 0;
    while (true) {
      Node& node = slot.nodes()[id];
      u8 state = node.state;
      if (prefix + length + 2 >= MOST_DEPTH) return -1;
      if (state == NEW) {
        if (!open(node, position)) return -1;
        state = node.state;
      }
      if (state == KNOWN) return node.known;
      if (Position::HAS_CYCLES) node.stamp = stamp;
      Edges edges(slot, node.first, node.n_moves);
      int at = select(node, edges);
      u16 move = edges.moves[at];
      path[length] = (NodeId)id;
      chosen[length] = (u16)at;
      moves[1 + length] = move;
      length++;
      position.play(move);
      u32 child = edges.children[at];
      if (child == 0) {
        bool is_new;
        child = find_or_add(position.hash(), is_new);
        edges.children[at] = (NodeId)child;
        if (is_new) {
          leaf = child;
          return -1;
        }
      }
      // Round in a circle: play on at random from here.
      if (Position::HAS_CYCLES && slot.nodes()[child].stamp == stamp) return -1;
      id = child;
    }
  }

#if !PRIOR
  // Adds Black's reward to all moves on the way, and AMAF samples.
  FN void back_up(int halves) {
#if MARKS
    if (WHOLE) {
      for (int at = 0; at < length; at++) {
        Node& node = slot.nodes()[path[at]];
        marks.push(Edges(slot, node.first, node.n_moves).codes[chosen[at]]);
      }
      if (arm != TREE_ROOT) marks.push(arm_code());
    }
#endif
    bool is_black = root_is_black;
    if (((length - 1) & 1) != 0) is_black = !is_black;
    for (int at = length - 1; at >= 0; at--) {
      Node& node = slot.nodes()[path[at]];
      int n = node.n_moves, mine = chosen[at];
      Edges edges(slot, node.first, n);
      // The sides take turns in all games, so the side follows from the depth.
      int own = is_black ? halves : 2 - halves;
#if TREE == RAVE
      marks.push(edges.codes[mine]);
      for (int i = 0; i < n; i++) {
        if (marks.has(edges.codes[i])) {
          Stats x = edges.stats[i];
          x.amaf_visits++;
          x.amaf_sum += own;
          if (i == mine) {
            x.visits++;
            x.sum += own;
          }
          edges.stats[i] = x;
        }
      }
#else
#if MARKS
      marks.push(edges.codes[mine]);
#endif
      Stats x = edges.stats[mine];
      x.visits++;
      x.sum += own;
      edges.stats[mine] = x;
#endif
      if (TREE == UCT) node.visits++;
      is_black = !is_black;
    }
#if MARKS
    // Marks know the arm's own move last: nodes below it do not count it.
    if (search->amaf) {
      marks.push(arm_code());
      const u16* codes = root_codes();
      u64* sums = slot.amaf();
      u64 one = 1 | (u64)(first_is_black ? halves : 2 - halves) << 32;
      for (u32 i = 0; i < search->n_arms; i++)
        if (marks.has(codes[i])) atomic_add(&sums[i], one);
    }
#endif
  }
#endif

  bool root_is_black;  // the side to move where simulations begin
  bool first_is_black; // and at the root of the search

  FN const u16* root_moves() const { return (const u16*)(slot.amaf() + Position::MOST_MOVES); }
  FN const u16* root_codes() const { return root_moves() + Position::MOST_MOVES; }
  FN u32 arm_code() const { return root_codes()[arm]; }
};

struct Generator {
  FN static Rng load(const u64* s) { return Rng{s[0], s[1], s[2], s[3]}; }
  FN static void store(u64* s, const Rng& rng) {
    s[0] = rng.s0;
    s[1] = rng.s1;
    s[2] = rng.s2;
    s[3] = rng.s3;
  }
};

#if PRIOR
#include "leaf.cuh"
#endif

// A thread: takes jobs, and makes their samples until all are made or the time is over.
// With few jobs, only some lanes of a warp take any: lanes that part wait for each other, and
// other warps do not.
FN void simulate_thread(const Params& p, u32 thread, u32) {
  Simulator sim;
  sim.p = &p;
  Job* job = 0;
  Arm* arm = 0;
  Rng rng = {};
  u32 left = 0, visits = 0, halves_sum = 0, draws = 0;
  bool has_more = thread % 32 < p.lanes;
  u64 deadline = now_ns() + p.slice;
  while (true) {
    if (left == 0 && has_more) {
      u32 next = atomic_add((u32*)p.next_job, 1u);
      has_more = next < p.n_jobs;
      if (has_more) {
        job = (Job*)p.jobs + next;
        sim.search = (Search*)p.searches + job->search;
        sim.arm = job->arm;
        sim.slot = Slot{(u8*)sim.search->base, &p};
        arm = sim.slot.arms() + (job->arm == TREE_ROOT ? 0 : job->arm);
        rng = Generator::load(arm->rng);
        sim.stamp = arm->stamp;
        left = job->samples - job->done;
        visits = halves_sum = draws = 0;
      }
    }
    bool is_working = left > 0;
    if (!any_lane(is_working)) break;
    Position position;
    u32 leaf = 0;
    int halves = -1;
    sim.length = 0;
    if (is_working) {
      position.load(sim.slot.words());
      sim.first_is_black = position.is_black();
      if (sim.arm != TREE_ROOT) {
        u16 move = sim.root_moves()[sim.arm];
        sim.moves[0] = move;
        position.play(move);
      }
      sim.root_is_black = position.is_black();
      sim.stamp++;
#if TREE != FLAT
      if (arm->root == 0) {
        bool is_new;
        leaf = sim.find_or_add(position.hash(), is_new);
        arm->root = leaf;
      } else {
        halves = sim.descend(arm->root, position, leaf);
      }
#endif
#if MARKS
      sim.marks.clear();
#endif
    }
    join_lanes();
#if PRIOR
    value_leaf(sim, position, leaf, halves, left, rng);
    halves = 0; // no arm has such leaves, and nobody else asks
#else
    if (is_working && halves < 0) {
      int over = reward(position.outcome());
      if (over >= 0) {
        if (leaf) {
          sim.slot.nodes()[leaf].state = KNOWN;
          sim.slot.nodes()[leaf].known = (u8)over;
        }
        halves = over;
        draw_at_end(position, rng);
      } else {
#if MARKS
        halves = reward(position.playout(rng, sim.marks));
#else
        Silence silence;
        halves = reward(position.playout(rng, silence));
#endif
      }
    }
    join_lanes();
    if (is_working) sim.back_up(halves);
#endif
    if (is_working) {
      left--;
      visits++;
      halves_sum += halves;
      draws += halves == 1;
      bool is_late = left > 0 && now_ns() >= deadline;
      if (left == 0 || is_late) {
        Generator::store(arm->rng, rng);
        arm->stamp = sim.stamp;
        arm->visits += visits;
        arm->halves += halves_sum;
        arm->draws += draws;
        job->done += visits;
        left = 0;
        if (is_late) has_more = false;
      }
    }
  }
}
KERNEL_BOUNDED(simulate, Params, BLOCK, BLOCKS)

// Empties the index of every search that begins: neighbouring threads, neighbouring entries.
FN void clear_thread(const Params& p, u32 thread, u32 n_threads) {
  u64 all = (u64)p.n_jobs * p.index_size;
  for (u64 at = thread; at < all; at += n_threads) {
    Start* start = (Start*)p.starts + at / p.index_size;
    Slot{(u8*)start->base, &p}.keys()[at % p.index_size] = 0;
  }
}
KERNEL(clear, Params)

// A thread for each search that begins: its root and generators.
FN void begin_thread(const Params& p, u32 thread, u32 n_threads) {
  for (u32 at = thread; at < p.n_jobs; at += n_threads) {
    const Start& start = ((Start*)p.starts)[at];
    Search* search = (Search*)p.searches + start.search;
    Search begun = {start.base, start.n_words, 0, start.bias, 0, start.c, 1, 0, start.amaf,
                    start.spread, start.playouts, start.last_playouts, 0};
    *search = begun;
    Simulator sim;
    sim.p = &p;
    sim.search = search;
    sim.arm = start.is_tree ? TREE_ROOT : 0;
    sim.slot = Slot{(u8*)start.base, &p};
    sim.length = 0;
    u32* words = (u32*)sim.slot.words();
    for (u32 i = 0; i < start.n_words; i++) words[i] = ((const u32*)p.start_words)[start.words + i];
    Position position;
    position.load(words);
    u16* moves = (u16*)sim.root_moves();
    u16* codes = moves + Position::MOST_MOVES;
    int n = 0;
    Way way{words, 0, sim.moves};
    position.for_each_search_move(way, [&](u16 move) {
      moves[n] = move;
      codes[n++] = (u16)position.code(move);
    });
    search->n_arms = n;
    for (int i = 0; i < (start.is_tree ? 1 : n); i++) {
      u64 seed[2] = {start.seed[0], start.seed[1]};
      step_seed(seed, i);
      Arm arm = {};
      seed_generator(arm.rng, seed);
      sim.slot.arms()[i] = arm;
      sim.slot.amaf()[i] = 0;
    }
#if TREE != FLAT
    if (start.is_tree) {
      bool is_new;
      u32 root = sim.find_or_add(position.hash(), is_new);
      sim.slot.arms()[0].root = root;
      sim.open(sim.slot.nodes()[root], position);
    }
#endif
  }
}
KERNEL(begin, Params)

// What the host needs to know to lay slots out.
FN void describe_thread(const Params& p, u32 thread, u32) {
  if (thread) return;
  u32* told = (u32*)p.told;
  told[0] = Position::MOST_MOVES;
  told[1] = Position::N_CODES;
  told[2] = sizeof(Search);
  told[3] = sizeof(Arm);
  told[4] = sizeof(Node);
  told[5] = sizeof(NodeId);
  told[6] = Edges::units(Position::MOST_MOVES);
  told[7] = sizeof(Start);
}
KERNEL(describe, Params)

// A thread for each job: what its search knows of the moves at the root.
// flags, nodes, units, moves; then for each move visits, the sum of rewards (Black's of an arm, the
// mover's of a node), draws, AMAF visits, the sum of AMAF rewards (the mover's). Sums are in halves,
// or the bits of a float if leaves have several playouts.
FN void collect_thread(const Params& p, u32 thread, u32 n_threads) {
  for (u32 at = thread; at < p.n_jobs; at += n_threads) {
    Job* job = (Job*)p.jobs + at;
    Search* search = (Search*)p.searches + job->search;
    Slot slot{(u8*)search->base, &p};
    u32* told = (u32*)p.told + (u64)at * p.told_words;
    told[0] = search->flags;
    told[1] = search->n_nodes;
    told[2] = search->n_units;
    u32 n = search->n_arms;
    told[3] = n;
    told += 4;
    if (job->arm == TREE_ROOT) {
      Node& node = slot.nodes()[slot.arms()[0].root];
      Edges edges(slot, node.first, node.n_moves);
      for (u32 i = 0; i < n; i++, told += 5) {
        Stats x = edges.stats[i];
        told[0] = x.visits;
        told[1] = sum_word(x.sum);
        told[2] = 0;
#if TREE == RAVE
        told[3] = x.amaf_visits;
        told[4] = sum_word(x.amaf_sum);
#else
        told[3] = told[4] = 0;
#endif
      }
    } else {
      for (u32 i = 0; i < n; i++, told += 5) {
        Arm& arm = slot.arms()[i];
        u64 sums = slot.amaf()[i];
        told[0] = arm.visits;
        told[1] = arm.halves;
        told[2] = arm.draws;
        told[3] = (u32)sums;
        told[4] = (u32)(sums >> 32);
      }
    }
  }
}
KERNEL(collect, Params)
