// One simulation: down the tree and back, as in tesuji_search's kernel.rs and simulator.rs.
#pragma once
#include "slots.cuh"

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

  // The search will be made again in a larger slot.
  FN void note_full(u32 flag) { atomic_or(&search->flags, flag); }

  FN u32 new_node() {
    u32 id = atomic_add(&search->n_nodes, 1u);
    if (id >= p->most_nodes) {
      note_full(FULL_NODES);
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
      note_full(FULL_EDGES);
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
