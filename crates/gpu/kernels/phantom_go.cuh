// Phantom Go: what one side knows (tesuji_games::GoView), as the game of one move that searches
// see (tesuji_search::Seen). After the move, every playout begins with a guess of the hidden
// stones (tesuji_games::GoGuess).
#pragma once
#define PHANTOM
#include "go.cuh"

struct Position {
  static const int MOST_MOVES = N_POINTS, N_CODES = 2 * N_POINTS + 2;
  static const bool HAS_CYCLES = false;
  // Draws of all hidden stones before some are left out.
  static const int TRIES = 20;

  // Words: side and passes; the number of hidden stones; own stones; marks; points refused in
  // this turn; points known to be empty.
  Set mine, marks, refused, vacated;
  u32 n_hidden;
  int passes;
  bool is_own_black; // whose view it is
  bool has_moved;

  FN static Set loaded(const u32* words) {
    Set r;
    EACH_WORD r.w[i] = words[i];
    return r;
  }

  FN void load(const u32* words) {
    is_own_black = !(words[0] & 1);
    passes = words[0] >> 1;
    n_hidden = words[1];
    mine = loaded(words + 2);
    marks = loaded(words + 2 + WORDS);
    refused = loaded(words + 2 + 2 * WORDS);
    vacated = loaded(words + 2 + 3 * WORDS);
    has_moved = false;
  }

  FN bool is_black() const { return is_own_black != has_moved; }
  FN int outcome() const { return -1; }
  FN u64 hash() const { return 0; }

  // A game of Go with these enemy stones.
  FN GoPosition world(const Set& enemies) const {
    GoPosition go;
    go.black = is_black();
    go.mine = has_moved ? enemies : mine;
    go.theirs = has_moved ? mine : enemies;
    go.stones_hash = 0;
    for (int i = 0; i < 4; i++) go.numbers[i] = 0;
    go.ko = -1;
    go.passes = passes;
    return go;
  }

  FN u32 code(u16 move) const { return world(marks).code(move); }

  template <class F>
  FN void for_each_search_move(const Way&, F visit) const {
    if (has_moved) return;
    Set worth_it = without(world(marks).worth_playing(), refused);
    if (is_none(worth_it)) {
      visit(PASS);
      return;
    }
    for_each(worth_it, [&](int index) { visit((u16)index); });
  }

  // The move is played on what is known.
  FN void play(u16 move) {
    if (move == PASS) {
      passes++;
    } else {
      Set dead = world(marks).taken(move);
      mine = mine | single(move);
      marks = without(marks, dead);
      vacated = vacated | dead;
      passes = 0;
    }
    has_moved = true;
  }

  FN static bool all_alive(const Set& stones, const Set& empty) {
    Set reached = spread(empty) & stones;
    while (!is_subset(stones, reached)) {
      Set more = spread(reached) & stones;
      if (is_subset(more, reached)) return false;
      reached = reached | more;
    }
    return true;
  }

  // Whether every chain has a liberty with the hidden stones here.
  FN bool breathes(const Set& hidden) const {
    Set enemies = marks | hidden, empty = without(all_points(), mine | enemies);
    return all_alive(mine, empty) && all_alive(enemies, empty);
  }

  // One point of a set that has some.
  FN static Set draw(const Set& set, Pool& pool, Rng& rng) {
    int rank = pool.below(rng, count(set));
    return rank < 0 ? none() : single(select(set, rank));
  }

  // The hidden stones of a board that agrees with what is known.
  FN Set guess(Rng& rng) const {
    // A stone among own stones alone could not breathe.
    Set others = without(all_points(), mine);
    Set possible = without(without(others, marks), vacated) & spread(others);
    int all = count(possible), size = (int)n_hidden < all ? (int)n_hidden : all;
    if (size == 0) return none();
    Pool pool;
    // The smaller part is drawn.
    bool chooses_rest = 2 * size > all;
    int n_draws = chooses_rest ? all - size : size;
    for (int tries = 0; tries < TRIES; tries++) {
      Set left = possible;
      for (int i = 0; i < n_draws; i++) left = without(left, draw(left, pool, rng));
      Set hidden = chooses_rest ? left : without(possible, left);
      if (breathes(hidden)) return hidden;
    }
    // One after another where they do no harm; those without room are left out.
    Set hidden = none(), left = possible;
    while (count(hidden) < size && !is_none(left)) {
      Set point = draw(left, pool, rng);
      left = without(left, point);
      if (breathes(hidden | point)) hidden = hidden | point;
    }
    return hidden;
  }

  template <class R>
  FN int playout(Rng& rng, R& record) const {
    GoPosition go = world(marks | guess(rng));
    int over = go.outcome();
    return over >= 0 ? over : go.playout(rng, record);
  }
};
