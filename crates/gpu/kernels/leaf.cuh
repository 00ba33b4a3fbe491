// The value of a new position by several playouts, spread over its moves (Liu, Tsuruoka 2015):
// evaluate_by_playouts of tesuji_search's kernel.rs. search.cuh includes this where its Simulator is
// known.
#pragma once

// How the playouts of a leaf are spread: parameters.rs knows the numbers.
static const u32 HALVING = 0, EVEN = 1, PRINTED_HALVING = 2;

// The plan of a leaf's playouts, and what came of them.
struct Leaf {
  u32 spread, playouts;
  u32 n;          // the moves that are left
  u32 n_rounds;   // of PRINTED_HALVING: all of them; of HALVING: this one and those after it
  u32 unplanned;  // the playouts that are left for later rounds
  u32 each, extra; // the playouts of a move in this round; the first few moves have one more
  u32 place, made; // the place of the next move in this round, and its playouts made
  u32 total, blacks; // all playouts made, and Black's rewards in halves
  u16 moves[Position::MOST_MOVES];
  u16 order[Position::MOST_MOVES];  // the moves that are left, the best first
  u32 halves[Position::MOST_MOVES]; // of the side to move

  // Begins with the n moves listed; the allocator's own choices have a stream of their own.
  FN void begin(u32 how, u32 budget, u32 n_moves, u64 root) {
    spread = how;
    playouts = unplanned = budget;
    n = n_moves;
    place = made = total = blacks = each = extra = n_rounds = 0;
    for (u32 i = 0; i < n; i++) {
      order[i] = (u16)i;
      halves[i] = 0;
    }
    if (n == 1) {
      each = budget;
      unplanned = 0;
      return;
    }
    bool is_even = spread == EVEN;
    if (!is_even || budget % n > 0) shuffle(root);
    if (is_even) {
      each = budget / n;
      extra = budget % n;
      unplanned = 0;
    } else {
      n_rounds = 1 + highest_bit(n - 1); // log2 n, rounded up
      plan_round();
    }
  }

  FN void shuffle(u64 root) {
    u64 seed[2], state[4];
    root_seed(seed, root);
    seed_generator(state, seed);
    Rng choices = {state[0], state[1], state[2], state[3]};
    for (u32 i = n - 1; i > 0; i--) {
      u32 at = choices.below(i + 1);
      u16 moved = order[i];
      order[i] = order[at];
      order[at] = moved;
    }
  }

  // The playouts of the next round of a halving.
  FN void plan_round() {
    extra = 0;
    if (spread == PRINTED_HALVING) {
      each = playouts / (n * n_rounds);
      return;
    }
    // At least one each while they last; the last round has all that are left.
    each = unplanned / (n_rounds * n);
    if (each == 0) each = 1;
    if (n_rounds == 1 || (u64)each * n > unplanned) {
      each = unplanned / n;
      extra = unplanned % n;
    }
    unplanned -= each * n + extra;
    n_rounds--;
  }

  // Keeps the better half of the moves, which have equally many playouts; equals keep their order.
  FN void keep_better_half() {
    for (u32 i = 1; i < n; i++) {
      u16 arm = order[i];
      u32 own = halves[arm], at = i;
      for (; at > 0 && halves[order[at - 1]] < own; at--) order[at] = order[at - 1];
      order[at] = arm;
    }
    n = (n + 1) / 2;
  }

  // The move of the next playout; -1 if all are made.
  FN int next() {
    while (true) {
      if (place < n) {
        if (made < each + (place < extra ? 1 : 0)) {
          made++;
          return order[place];
        }
        place++;
        made = 0;
        continue;
      }
      // Rounds without playouts change no value.
      bool is_over = spread == PRINTED_HALVING ? n <= 2 : unplanned == 0;
      if (is_over) return -1;
      keep_better_half();
      plan_round();
      place = 0;
    }
  }

  FN void record(int arm, int black, bool is_black) {
    halves[arm] += is_black ? black : 2 - black;
    blacks += black;
    total++;
  }

  // Black's reward.
  FN double value() const { return total == 0 ? 0.5 : 0.5 * (double)blacks / (double)total; }
};

#if MARKS
// Adds an AMAF sample to every node on the way; Black's reward in halves.
FN void count_amaf(Simulator& sim, int halves) {
  if (WHOLE) {
    for (int at = 0; at < sim.length; at++) {
      Node& node = sim.slot.nodes()[sim.path[at]];
      sim.marks.push(Edges(sim.slot, node.first, node.n_moves).codes[sim.chosen[at]]);
    }
  }
  bool is_black = (sim.length & 1) == 0 ? !sim.root_is_black : sim.root_is_black;
  for (int at = sim.length - 1; at >= 0; at--) {
    Node& node = sim.slot.nodes()[sim.path[at]];
    Edges edges(sim.slot, node.first, node.n_moves);
    sim.marks.push(edges.codes[sim.chosen[at]]);
    float own = 0.5f * (float)(is_black ? halves : 2 - halves);
    for (int i = 0; i < node.n_moves; i++) {
      if (sim.marks.has(edges.codes[i])) {
        edges.stats[i].amaf_visits++;
        edges.stats[i].amaf_sum += own;
      }
    }
    is_black = !is_black;
  }
}
#endif

// Adds Black's reward to all moves on the way.
FN void record_value(Simulator& sim, double blacks) {
  bool is_black = sim.root_is_black;
  for (int at = 0; at < sim.length; at++) {
    Node& node = sim.slot.nodes()[sim.path[at]];
    Stats& stats = Edges(sim.slot, node.first, node.n_moves).stats[sim.chosen[at]];
    stats.visits++;
    stats.sum += (float)(is_black ? blacks : 1.0 - blacks);
    if (TREE == UCT) node.visits++;
    is_black = !is_black;
  }
}

// Values the position that the simulation has come to, which is the node `id` if that is not 0, and
// adds the reward to the moves on the way. Black's reward is `halves` if it is known, else that is -1.
// `left` samples are left with this one; none if the thread has no work and only waits for others.
FN void value_leaf(Simulator& sim, const Position& position, u32 id, int halves, u32 left, Rng& rng) {
  Leaf leaf;
  int arm = -1;
  bool is_black = false;
  if (left > 0) {
    if (halves < 0) {
      halves = reward(position.outcome());
      if (halves >= 0 && id) {
        sim.slot.nodes()[id].state = KNOWN;
        sim.slot.nodes()[id].known = (u8)halves;
      }
    }
    if (halves >= 0) {
#if MARKS
      count_amaf(sim, halves);
#endif
    } else {
      Way way{sim.slot.words(), sim.length, sim.moves + 1};
      u32 n = 0;
      position.for_each_search_move(way, [&](u16 move) { leaf.moves[n++] = move; });
      is_black = position.is_black();
      u32 playouts = left == 1 ? sim.search->last_playouts : sim.search->playouts;
      leaf.begin(sim.search->spread, playouts, n, rng.bits());
      arm = leaf.next();
    }
  }
  // One playout of every thread of a warp at a time.
  while (any_lane(arm >= 0)) {
    if (arm >= 0) {
      Position child = position;
      u16 move = leaf.moves[arm];
#if MARKS
      sim.marks.clear();
      sim.marks.push(position.code(move));
      auto& record = sim.marks;
#else
      Silence record;
#endif
      child.play(move);
      int black = reward(child.outcome());
      if (black >= 0) {
        draw_at_end(child, rng);
      } else {
        black = reward(child.playout(rng, record));
      }
#if MARKS
      count_amaf(sim, black);
#endif
      leaf.record(arm, black, is_black);
      arm = leaf.next();
    }
    join_lanes();
  }
  if (left > 0) record_value(sim, halves >= 0 ? 0.5 * (double)halves : leaf.value());
}
