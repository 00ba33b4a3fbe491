// A game at the table: what the service says of it, who thinks, and what the page answers. The components
// only show this and call it.
import { named } from '../board/answer';
import { Refusal, events, json, type Game, type Schemas, type Side } from '../lib/api';
import { Search } from '../watch/search.svelte';
import { preferences } from './preferences.svelte';

const LAST = 'tesuji-last-game';
const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const other = (side: Side): Side => (side === 'black' ? 'white' : 'black');

export function said(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

export class Table {
  game = $state.raw<Game | null>(null);
  /** The last search, or the one that goes on. */
  search = $state.raw<Search | null>(null);
  /** Whether a search goes on, or is being shown. */
  thinking = $state(false);
  /** Whether two programs wait to be told to go on. */
  paused = $state(false);
  /** What went wrong, in a sentence. */
  error = $state<string | null>(null);
  /** A kind answer to what somebody has just done. */
  message = $state('');
  /** The address of a game that the service has no longer. */
  forgotten = $state<string | null>(null);

  private stream: AbortController | null = null;

  readonly persons = $derived<Side[]>((['black', 'white'] as const).filter((side) => this.game?.[side].player === null));
  readonly turn = $derived(this.game !== null && this.game.outcome === null && this.persons.includes(this.game.to_move));
  readonly undoable = $derived(this.game !== null && this.game.can_undo && this.undoing() <= this.game.ply);
  /** Whether the search is about the very position on the board. */
  readonly current = $derived(this.search !== null && this.game !== null && same(this.search.position, this.game));
  /** The position that is to be seen: the game's, unless a search of an earlier one is looked at. */
  readonly seen = $derived(this.search !== null && this.search.back ? this.search.position : this.game);

  /** The game that was last at this table. */
  static last(): string | null {
    return sessionStorage.getItem(LAST);
  }

  async begin(order: Schemas['NewGame']): Promise<Game> {
    const game = await json<Game>('POST', '/api/games', order);
    this.sit(game);
    this.paused = false;
    void this.advance();
    return game;
  }

  async open(id: string): Promise<void> {
    this.leave();
    try {
      this.sit(await this.settled(id));
      this.paused = this.persons.length === 0;
      void this.advance();
    } catch (error) {
      this.game = null;
      if (error instanceof Refusal && error.status === 404) {
        this.forgotten = id;
        sessionStorage.removeItem(LAST);
      } else this.error = said(error);
    }
  }

  /** Stops what goes on; the game itself stays where it is. */
  leave(): void {
    this.stream?.abort();
    this.stream = null;
    this.search?.leave();
    this.thinking = false;
  }

  async move(text: string): Promise<void> {
    const game = this.game;
    if (!game) return;
    this.message = '';
    await this.attempt(async () => {
      await this.quiet();
      const played = await this.patiently(() => json<Schemas['Played']>('POST', `${this.path(game.id)}/moves`, { move: text }));
      this.game = played.game;
      if (played.refused !== null) this.message = `The referee refuses ${played.refused}. It is still your turn: try somewhere else.`;
    });
    await this.advance();
  }

  /** Takes moves back to where a person can choose again. */
  async undo(): Promise<void> {
    const game = this.game;
    if (!game) return;
    this.message = '';
    if (this.persons.length === 0) this.paused = true;
    await this.attempt(async () => {
      const searching = this.search?.running ?? false;
      await this.quiet();
      this.search = null;
      // A search that is left may still have played its move: that one goes back too.
      if (searching) this.game = await this.settled(game.id);
      this.game = await this.patiently(() => json<Game>('POST', `${this.path(game.id)}/undo`, { moves: this.undoing() }));
    });
    await this.advance();
  }

  /** A search that only shows. */
  async think(demonstration = false): Promise<void> {
    await this.run(false, demonstration);
  }

  /** One move of a program. */
  async step(): Promise<void> {
    this.paused = true;
    await this.run(true);
  }

  async playOn(): Promise<void> {
    this.paused = false;
    this.error = null;
    await this.advance();
  }

  /** The best move so far counts, and the show is over. */
  async moveNow(): Promise<void> {
    const game = this.game;
    this.search?.leave();
    if (game && this.search?.running) await this.attempt(() => json('DELETE', `${this.path(game.id)}/search`));
  }

  /** The player that would think for a side: its own, or for a person its opponent. */
  thinker(side: Side): string | null {
    return this.game?.[side].player ?? this.game?.[other(side)].player ?? null;
  }

  private sit(game: Game): void {
    this.leave();
    this.game = game;
    this.search = null;
    this.error = null;
    this.message = '';
    this.forgotten = null;
    sessionStorage.setItem(LAST, game.id);
  }

  private async advance(): Promise<void> {
    const game = this.game;
    if (!game || game.outcome || this.thinking || this.paused || this.error) return;
    if (game[game.to_move].player !== null) await this.run(true);
  }

  private async run(play: boolean, demonstration = false): Promise<void> {
    const game = this.game;
    if (!game || this.thinking) return;
    const search = new Search(game, play);
    const stream = new AbortController();
    this.search?.leave();
    this.search = search;
    this.stream = stream;
    this.thinking = true;
    this.error = null;
    this.message = '';
    if (demonstration || preferences.slow) search.show(demonstration || !play);
    const player = this.thinker(game.to_move);
    const order: Schemas['SearchOrder'] = { play };
    if (!play && player !== null) order.player = player;
    // Those who play phantom games are not compared: UCT does not play them.
    if (preferences.comparing && !game.hidden && !player?.startsWith('uct')) order.beside = 'uct';
    try {
      for await (const told of events('POST', `${this.path(game.id)}/search`, order, stream.signal)) {
        if (told.event === 'game') {
          this.game = told.data as Game;
          this.message = '';
        }
        else if (told.event === 'error') this.error = (told.data as { error: string }).error;
        else search.hear(told);
      }
    } catch (error) {
      if (!stream.signal.aborted) this.error = said(error);
    }
    search.end();
    if (this.error) search.leave();
    await search.over();
    if (this.stream !== stream) return;
    this.stream = null;
    this.thinking = false;
    if (play) await this.advance();
  }

  /** The game once no search of it goes on: one that was just left takes a moment to stop. */
  private async settled(id: string): Promise<Game> {
    for (let turns = 0; ; turns += 1) {
      const game = await json<Game>('GET', this.path(id));
      if (!game.searching || turns >= 10) return game;
      await wait(200);
    }
  }

  /** Ends a search that is only watched, before a person does something. */
  private async quiet(): Promise<void> {
    const streamed = this.search?.running ?? false;
    this.leave();
    // The service notices a moment later that nobody listens.
    if (streamed) await wait(50);
  }

  /** Asks again for a moment where the service is still busy with a search that was left. */
  private async patiently<T>(ask: () => Promise<T>): Promise<T> {
    for (let turns = 0; ; turns += 1) {
      try {
        return await ask();
      } catch (error) {
        if (!(error instanceof Refusal) || error.status !== 409 || turns >= 5 || !/search|think/i.test(error.message)) throw error;
        await wait(150);
      }
    }
  }

  private async attempt(what: () => Promise<unknown>): Promise<void> {
    this.error = null;
    try {
      await what();
    } catch (error) {
      this.error = said(error);
    }
  }

  /** How many moves go back: two against a program, so that it is the person's turn again. */
  private undoing(): number {
    const game = this.game;
    if (!game || this.persons.length !== 1) return 1;
    return this.persons[0] === game.to_move ? 2 : 1;
  }

  private path(id: string): string {
    return `/api/games/${encodeURIComponent(id)}`;
  }
}

function same(a: Game, b: Game): boolean {
  return a.id === b.id && a.ply === b.ply && a.moves.join(' ') === b.moves.join(' ');
}

/** Whose turn it is, or how it ended, in a sentence. */
export function standing(table: Table): string {
  const { game } = table;
  if (!game) return '';
  if (table.search?.playing && table.search.played) return `${named(table.search.position.to_move)} thinks…`;
  if (game.outcome) {
    const { text, margin, reason } = game.outcome;
    const by = margin !== null && game.outcome.winner !== null && !/\d/.test(text) ? ` by ${Math.abs(margin)}` : '';
    return `${text}${by}${reason === 'resigned' ? ': the other side resigns' : ''}.`;
  }
  const side = named(game.to_move);
  if (!table.turn) return table.paused && !table.thinking ? `${side} is to move; the game is paused.` : `${side} thinks…`;
  return table.persons.length === 1 ? `${side} to move: your turn.` : `${side} to move.`;
}
