// Searches: trees in device memory, and simulations as those of tesuji_search's kernel.rs.
//
// Every search has a slot: a stretch of memory with its root, its arms, and a pool for nodes
// and moves. A job is a number of samples of one arm of one search, or of its tree if the root
// is a node like any other. A thread makes the samples of a job one after the other; jobs share
// nothing but the slot's pool, its index of positions (under keys of their own) and the sums of
// root AMAF, which are whole numbers, so the order in which threads work changes no result.
#pragma once
#include "simulator.cuh"

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
#if AHEAD
      u32 place = job->done + visits, shift = 2 * (place % 16);
      u32& word = arm->outcomes[place / 16];
      word = (shift ? word : 0) | (u32)halves << shift;
#endif
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
// or the bits of a float if leaves have several playouts. Last the outcomes of its last job, if
// they are told one by one.
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
      for (u32 i = 0; i < n; i++, told += 5 + AHEAD / 16) {
        Arm& arm = slot.arms()[i];
        u64 sums = slot.amaf()[i];
        told[0] = arm.visits;
        told[1] = arm.halves;
        told[2] = arm.draws;
        told[3] = (u32)sums;
        told[4] = (u32)(sums >> 32);
#if AHEAD
        for (int word = 0; word < AHEAD / 16; word++) told[5 + word] = arm.outcomes[word];
#endif
      }
    }
  }
}
KERNEL(collect, Params)
