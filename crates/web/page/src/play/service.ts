// What a table asks of the service about one game, and the patience it takes.
import { Refusal, json, type Game, type Schemas } from '../lib/api';

export const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

export function said(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

export function pathOf(id: string): string {
  return `/api/games/${encodeURIComponent(id)}`;
}

export const service = {
  begin: (order: Schemas['NewGame']) => json<Game>('POST', '/api/games', order),
  look: (id: string) => json<Game>('GET', pathOf(id)),
  play: (id: string, move: string) => json<Schemas['Played']>('POST', `${pathOf(id)}/moves`, { move }),
  undo: (id: string, moves: number) => json<Game>('POST', `${pathOf(id)}/undo`, { moves }),
  stop: (id: string) => json<undefined>('DELETE', `${pathOf(id)}/search`),
  drop: (id: string) => json<undefined>('DELETE', pathOf(id)),
};

/** The game once no search of it goes on: one that was just left takes a moment to stop. */
export async function settled(id: string): Promise<Game> {
  for (let turns = 0; ; turns += 1) {
    const game = await service.look(id);
    if (!game.searching || turns >= 10) return game;
    await wait(200);
  }
}

/** Asks, and where the page has just left a search, asks again for a moment while the service is still busy with it. */
export async function patiently<T>(left: boolean, ask: () => Promise<T>): Promise<T> {
  for (let turns = 0; ; turns += 1) {
    try {
      return await ask();
    } catch (error) {
      const thinks = error instanceof Refusal && error.status === 409 && /think/.test(error.message);
      if (!left || !thinks || turns >= 5) throw error;
      await wait(150);
    }
  }
}

/** Whether two answers are about one position. */
export function same(a: Game, b: Game): boolean {
  return a.id === b.id && a.ply === b.ply && a.moves.join(' ') === b.moves.join(' ');
}

/** How a game would be begun again; nothing where not all of its moves are known, as in phantom games. */
export function again(game: Game): Schemas['NewGame'] | null {
  if (game.hidden || game.ply === 0 || game.moves.includes('-')) return null;
  return { game: game.game, black: game.black.player, white: game.white.player, moves: game.moves };
}
