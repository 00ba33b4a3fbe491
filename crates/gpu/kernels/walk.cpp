// A game's kernel on the host, for tests: what tests/games.rs compares with the Rust game.
#define HEADER2(name) #name
#define HEADER(name) HEADER2(name)
#include "common.cuh"
#include HEADER(GAME_HEADER)

struct Recorded {
  u8* codes;
  void push(u32 code) { codes[code] = 1; }
};

// Plays `n_played` moves, by their numbers in the list of search moves, from the encoded root,
// and tells everything about the position that it comes to.
// `told`: 0 outcome (as the search sees it), 1 side, 2 number of moves, 3 and 4 hash (high, low),
// 5 codes; then the codes of the moves.
// Then makes a playout with the generator whose state is `rng`: its reward is returned, its codes
// are set in `codes`, and `rng` becomes the generator's next four draws.
extern "C" int tesuji_walk(const u32* words, const u32* played, u32 n_played, u32* told, u64* rng, u8* codes) {
  Position position;
  position.load(words);
  static u16 moves[4096];
  for (u32 i = 0; i < n_played; i++) {
    int at = 0;
    u16 chosen = 0xffff;
    Way way{words, (int)i, moves};
    position.for_each_search_move(way, [&](u16 move) {
      if (at++ == (int)played[i]) chosen = move;
    });
    moves[i] = chosen;
    position.play(chosen);
  }
  Way way{words, (int)n_played, moves};
  u32 n = 0;
  told[0] = (u32)reward(position.outcome());
  told[1] = position.is_black() ? 0 : 1;
  if (position.outcome() < 0)
    position.for_each_search_move(way, [&](u16 move) { told[6 + n++] = position.code(move); });
  told[2] = n;
  u64 hash = position.hash();
  told[3] = (u32)(hash >> 32);
  told[4] = (u32)hash;
  told[5] = Position::N_CODES;
  if (n > (u32)Position::MOST_MOVES) told[5] = 0;
  Rng generator{rng[0], rng[1], rng[2], rng[3]};
  Recorded recorded{codes};
  int value = reward(position.outcome());
  if (value < 0) value = reward(position.playout(generator, recorded));
  else draw_at_end(position, generator);
  for (int i = 0; i < 4; i++) rng[i] = generator.bits();
  return value;
}
