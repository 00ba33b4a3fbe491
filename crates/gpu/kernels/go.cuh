// Go: tesuji_games::Go on boards up to 10x10.
#pragma once
#include "goban.cuh"

// SUPERKO: 0 off, 1 positional, 2 situational. DRAWS: Black's reward in halves for an even score.
// A move is a point's index, or PASS.
static const u16 PASS = 0xffff;

FN int decide(int area) {
  int margin = 2 * area - (KOMI);
  return margin > 0 ? 2 : margin < 0 ? 0 : DRAWS;
}

struct Camp {
  Set stones, eyes, immune, excluded;
};

struct GoPosition {
  static const int MOST_MOVES = N_POINTS, N_CODES = 2 * N_POINTS + 2;
  static const bool HAS_CYCLES = true;
  // Words: side and passes; ko; the stones of both; the hash of the stones; the numbers of empty
  // points that boards have had; the number of boards; then each with its side to move.
  static const int HEAD = 2 + 2 * WORDS + 2 + 4 + 1, ENTRY = 2 * WORDS + 1;

  Set mine, theirs;
  u64 stones_hash;
  u32 numbers[4];
  int ko; // an index, or -1
  int passes;
  bool black;

  FN void load(const u32* words) {
    black = !(words[0] & 1);
    passes = words[0] >> 1;
    ko = (int)words[1] - 1;
    const u32* own = words + 2 + (black ? 0 : WORDS);
    const u32* other = words + 2 + (black ? WORDS : 0);
    EACH_WORD {
      mine.w[i] = own[i];
      theirs.w[i] = other[i];
    }
    const u32* rest = words + 2 + 2 * WORDS;
    stones_hash = (u64)rest[0] << 32 | rest[1];
    for (int i = 0; i < 4; i++) numbers[i] = rest[2 + i];
  }

  FN bool is_black() const { return black; }
  FN Set empty() const { return without(without(all_points(), mine), theirs); }

  FN int outcome() const {
    if (passes < 2) return -1;
    int area = area_difference(mine, theirs, empty());
    return decide(black ? area : -area);
  }

  FN u32 code(u16 move) const {
    u32 side = black ? 0 : 1;
    return move == PASS ? 2 * N_POINTS + side : side * N_POINTS + dense(move);
  }

  FN u64 hash() const {
    u64 hash = stones_hash ^ zobrist_turn(black);
    if (ko >= 0) hash ^= zobrist_extra(dense(ko));
    if (passes) hash ^= zobrist_extra(1000 + passes);
    return hash;
  }

  // The stones that a legal stone on this point takes.
  FN Set taken(int index) const {
    Set point = single(index), rest = without(empty(), point);
    Set enemies = spread(point) & theirs;
    if (is_none(enemies) || is_subset(enemies, spread(rest))) return none();
    return without(theirs, alive(theirs, rest));
  }

  FN bool has_number(int n) const {
    u32 word = 0;
#pragma unroll
    for (int i = 0; i < 4; i++)
      if (n >> 5 == i) word = numbers[i];
    return word >> (n & 31) & 1;
  }

  FN void play(u16 move) {
    bool was_black = black;
    black = !black;
    if (move == PASS) {
      passes++;
      ko = -1;
      Set swap = mine;
      mine = theirs;
      theirs = swap;
      return; // the number of empty points is known already
    }
    int index = move;
    Set dead = taken(index), point = single(index);
    bool is_lone = is_disjoint(spread(point), empty() | mine);
    int n_dead = count(dead);
    ko = is_lone && n_dead == 1 ? first(dead) : -1;
    passes = 0;
    stones_hash ^= zobrist_stone(was_black ? 0 : 1, dense(index));
    if (n_dead) {
      u64 changed = 0;
      for_each(dead, [&](int at) { changed ^= zobrist_stone(was_black ? 1 : 0, dense(at)); });
      stones_hash ^= changed;
    }
    Set own = mine | point;
    mine = without(theirs, dead);
    theirs = own;
    if (SUPERKO) {
      int n = count(empty());
#pragma unroll
      for (int i = 0; i < 4; i++)
        if (n >> 5 == i) numbers[i] |= 1u << (n & 31);
    }
  }

  // The points of `asked` where superko forbids a stone. `black_seen` and `white_seen` are a board
  // of the past.
  FN Set repeated(const Set& asked, const Set& seen_mine, const Set& seen_theirs) const {
    // It would have one more stone of mine, and none of theirs that are not there now.
    Set more = without(seen_mine, mine);
    if (!is_subset(mine, seen_mine) || count(more) != 1 || !is_subset(seen_theirs, theirs)) return none();
    if (is_disjoint(more, asked)) return none();
    return is_same(seen_theirs, without(theirs, taken(first(more)))) ? more : none();
  }

  SLOW_FN static Set forbidden(const GoPosition& here, const Way& way, Set asked) {
    Set found = none();
    const u32* at = way.root + HEAD;
    for (u32 n = way.root[HEAD - 1]; n; n--, at += ENTRY) {
      Set black_seen, white_seen;
      EACH_WORD {
        black_seen.w[i] = at[i];
        white_seen.w[i] = at[WORDS + i];
      }
      // After the move it is the other side's turn.
      if (SUPERKO == 2 && (at[2 * WORDS] == 0) == here.black) continue;
      found = found | here.repeated(asked, here.black ? black_seen : white_seen, here.black ? white_seen : black_seen);
    }
    GoPosition past;
    past.load(way.root);
    for (int i = 0; i < way.length; i++) {
      past.play(way.move(i));
      if (SUPERKO == 2 && past.black == here.black) continue;
      bool is_same_side = past.black == here.black;
      found = found | here.repeated(asked, is_same_side ? past.mine : past.theirs, is_same_side ? past.theirs : past.mine);
    }
    return found;
  }

  // Where a stone would be legal but for superko, and is no own eye: nobody fills those.
  FN Set worth_playing() const {
    Set free = empty(), captures, chains;
    in_atari(theirs, free, captures, chains);
    return worth_playing(free, captures);
  }
  FN Set worth_playing(const Set& free, const Set& captures) const {
    Set breathing = free, open = free & spread(free);
    if (!is_same(open, free)) {
      Set liberties, weak;
      in_atari(mine, free, liberties, weak);
      breathing = open | (spread(without(mine, weak)) & free);
    }
    Set allowed = breathing | captures;
    if (ko >= 0) allowed = without(allowed, single(ko));
    Set surrounded = without(free, spread(free | theirs));
    if (!is_none(surrounded)) allowed = without(allowed, without(surrounded, spoilt_eyes(theirs)));
    return allowed;
  }

  template <class F>
  FN void for_each_search_move(const Way& way, F visit) const {
    if (passes == 2) return;
    Set free = empty(), captures, chains;
    in_atari(theirs, free, captures, chains);
    Set allowed = worth_playing(free, captures);
    if (SUPERKO && !is_none(allowed)) {
      // Only boards with as many empty points as an earlier one can be repetitions.
      int n = count(free) - 1;
      Set asked = has_number(n) ? without(allowed, captures) : none();
      for_each(allowed & captures, [&](int index) {
        if (has_number(n + count(taken(index)))) asked = asked | single(index);
      });
      if (!is_none(asked)) allowed = without(allowed, forbidden(*this, way, asked));
    }
    if (is_none(allowed)) {
      visit(PASS);
      return;
    }
    for_each(allowed, [&](int index) { visit((u16)index); });
  }

  // Forgets the eyes among these points, and all that was based on eyes.
  FN static void forget(const Set& points, Camp& theirs, Camp& mine) {
    if (!is_disjoint(points, theirs.eyes)) {
      theirs.eyes = without(theirs.eyes, points);
      theirs.excluded = without(theirs.excluded, points);
      theirs.immune = none();
      mine.excluded = mine.eyes;
    }
  }

  // Takes the chains without liberties, and returns them.
  FN static Set take(const Set& in_danger, Set reached, Camp& theirs) {
    while (true) {
      Set more = spread(reached) & theirs.stones;
      if (is_subset(more, reached)) break;
      reached = reached | more;
      if (is_subset(in_danger, reached)) return none();
    }
    Set dead = without(theirs.stones, reached);
    theirs.stones = reached;
    return dead;
  }

  // The eyes of a camp, its immune chains among those asked for, and the points barred to the other.
  FN static void survey(Set asked, const Set& free, Camp& camp, Camp& other) {
    Set surrounded = without(free, spread(free | other.stones));
    Set eyes = without(surrounded, spoilt_eyes(other.stones));
    camp.eyes = camp.eyes | eyes;
    camp.excluded = camp.excluded | eyes;
    if (count(camp.eyes) < 2) return;
    camp.immune = flood(camp.immune, camp.stones);
    asked = without(asked, camp.immune);
    while (!is_none(asked)) {
      Set chain = flood(single(first(asked)), camp.stones);
      if (count(spread(chain) & camp.eyes) >= 2) camp.immune = camp.immune | chain;
      asked = without(asked, chain);
    }
    Set barred = without(free, spread(without(all_points(), camp.immune)));
    other.excluded = other.excluded | barred;
  }

  // One attempt at a stone for each pass of the loop, not one turn: threads of a warp whose
  // attempt fails do not keep the others waiting.
  template <class R>
  FN int playout(Rng& rng, R& record) const {
    Camp me = {mine, none(), none(), none()}, them = {theirs, none(), none(), none()};
    Set free = empty(), tried = none();
    if (ko >= 0) tried = single(ko);
    Pool pool;
    bool is_blacks = black;
    const int cap = 3 * N_POINTS;
    int left = cap, left_at_pass = passes > 0 ? cap + 1 : 0;
    while (left > 0) {
      Set candidates = without(free, me.excluded | tried);
      int rank = pool.below(rng, count(candidates));
      bool has_passed = rank < 0, is_played = true;
      Set next_ko = none();
      u32 played_code;
      if (has_passed) {
        played_code = 2 * N_POINTS + (is_blacks ? 0 : 1);
      } else {
        int index = select(candidates, rank);
        played_code = (is_blacks ? 0 : N_POINTS) + dense(index);
        Set point = single(index), neighbours = spread(point);
        Set rest = without(free, point), enemies = neighbours & them.stones;
        Set in_danger = without(enemies, them.immune);
        Set friends = neighbours & me.stones;
        bool is_open = !is_disjoint(neighbours, free);
        bool is_eye = false;
        Set around = diagonals(point);
        if (!is_open && is_none(enemies)) {
          Set bad = around & them.stones;
          int n = count(bad);
          is_eye = n == 0 || (n == 1 && is_disjoint(point, edge_points()));
        }
        Set dead = none();
        if (!is_eye) {
          Set reached = spread(rest) & them.stones;
          if (!is_subset(in_danger, reached)) dead = take(in_danger, reached, them);
        }
        bool takes = !is_none(dead);
        if (is_eye) {
          me.eyes = me.eyes | point;
          me.excluded = me.excluded | point;
          is_played = false;
        } else if (!is_open && !takes) {
          if (is_none(friends)) {
            survey(in_danger, free, them, me);
            is_played = false;
          } else if (is_disjoint(friends, me.immune) && !any_alive(friends, me.stones, rest)) {
            is_played = false;
          }
        }
        if (is_played) {
          free = rest | dead;
          if (takes) {
            forget(spread(dead), them, me);
            if (!is_open && is_none(friends) && count(dead) == 1) next_ko = dead;
          }
          me.stones = me.stones | point;
          forget(around, them, me);
        } else {
          tried = tried | point;
        }
      }
      if (is_played) {
        record.push(played_code);
        bool is_over = has_passed && left_at_pass == left + 1;
        if (has_passed) left_at_pass = left;
        left--;
        if (is_over) break;
        tried = next_ko;
        Camp swap = me;
        me = them;
        them = swap;
        is_blacks = !is_blacks;
      }
    }
    int area = area_difference(me.stones, them.stones, free);
    // After the last pass nobody swaps: `me` is the side that passed.
    return decide(is_blacks ? area : -area);
  }
};

// Phantom Go has positions of its own, and only plays on as Go does.
#ifndef PHANTOM
typedef GoPosition Position;
#endif
