// A game at the table: what the service says of it, who thinks, and what the page answers. The components
// only show this and call it.
import { Refusal, events, type Game, type Schemas, type Side } from '../lib/api';
import { Search } from '../watch/search.svelte';
import { preferences } from './preferences.svelte';
import { again, pathOf, patiently, said, same, service, settled, wait } from './service';

const LAST = 'tesuji-last-game';
/** So often a search that is not ours is looked after, in milliseconds. */
const LOOK_MS = 500;
/** A search that is cut off so often without a move is not begun again by itself. */
const MOST_CUTS = 2;
const other = (side: Side): Side => (side === 'black' ? 'white' : 'black');

/** A game that the service has no longer, and how it would be begun again where all its moves are known. */
export interface Forgotten {
  id: string;
  again: Schemas['NewGame'] | null;
}

/** The moves that a search may not choose, and the one that gets all its samples. */
interface Steering {
  excluded: string[];
  focus: string | null;
}

export class Table {
  game = $state.raw<Game | null>(null);
  /** The last search, or the one that goes on. */
  search = $state.raw<Search | null>(null);
  /** Whether a search of this page goes on, or is being shown. */
  thinking = $state(false);
  /** Whether a search goes on that another window began. */
  elsewhere = $state(false);
  /** Whether something was asked of the service and has no answer yet: clicks do nothing meanwhile. */
  busy = $state(false);
  /** Whether a program waits to be told to go on. */
  paused = $state(false);
  /** What went wrong, in a sentence. */
  error = $state<string | null>(null);
  /** A kind answer to what somebody has just done. */
  message = $state('');
  forgotten = $state.raw<Forgotten | null>(null);

  private stream: AbortController | null = null;
  /** Another one whenever what went on is left. */
  private ticket = {};
  private cuts = 0;
  /** The person before the screen, where two share it and must not see the same. */
  private viewer = $state<Side | null>(null);

  readonly persons = $derived<Side[]>((['black', 'white'] as const).filter((side) => this.game?.[side].player === null));
  readonly turn = $derived(this.game !== null && this.game.outcome === null && this.persons.includes(this.game.to_move));
  readonly undoable = $derived(this.game !== null && this.game.can_undo && !this.elsewhere && this.undoing() <= this.game.ply);
  /** Whether the search is about the very position on the board. */
  readonly current = $derived(this.search !== null && this.game !== null && same(this.search.position, this.game));
  /** The position that is to be seen: the game's, unless a search of an earlier one is looked at. */
  readonly seen = $derived(this.search !== null && this.search.back ? this.search.position : this.game);
  /** Whether the screen is to be handed to the other person before anything is shown. */
  readonly covered = $derived(this.turn && this.game !== null && this.game.hidden && this.persons.length === 2 && this.viewer !== this.game.to_move);

  /** The game that was last at this table. */
  static last(): string | null {
    return sessionStorage.getItem(LAST);
  }

  async begin(order: Schemas['NewGame']): Promise<Game> {
    const left = this.game;
    const game = await service.begin(order);
    this.sit(game);
    this.paused = false;
    // The service keeps a number of games only: one in which nothing was played need not be among them.
    if (left?.ply === 0) service.drop(left.id).catch(() => undefined);
    void this.advance();
    return game;
  }

  async open(id: string): Promise<void> {
    this.leave();
    const { ticket } = this;
    try {
      const game = await service.look(id);
      if (ticket !== this.ticket) return;
      this.sit(game);
      this.paused = this.persons.length === 0;
      void (game.searching ? this.follow() : this.advance());
    } catch (error) {
      if (ticket !== this.ticket) return;
      this.game = null;
      await this.fail(error, id);
    }
  }

  /** Stops what goes on; the game itself stays where it is. */
  leave(): void {
    this.ticket = {};
    this.stream?.abort();
    this.stream = null;
    this.search?.leave();
    this.thinking = false;
    this.elsewhere = false;
  }

  async move(text: string): Promise<void> {
    const game = this.game;
    if (!game || this.busy) return;
    this.paused = false;
    await this.attempt(async (left) => {
      const played = await patiently(left, () => service.play(game.id, text));
      if (this.game?.id !== game.id) return;
      this.game = played.game;
      // What one person has let it think about is not for the other.
      if (this.covered) this.search = null;
      if (played.refused !== null) this.message = `The referee refuses ${played.refused}. It is still your turn: try somewhere else.`;
    });
    await this.advance();
  }

  /** Takes moves back to where a person can choose again. */
  async undo(): Promise<void> {
    const game = this.game;
    if (!game || this.busy) return;
    this.paused = this.persons.length === 0;
    await this.attempt(async (left) => {
      this.search = null;
      // A search that is left may still have played its move: that one goes back too.
      if (left) this.game = await settled(game.id);
      const back = (moves: number) => patiently(left, () => service.undo(game.id, moves));
      this.game = await back(this.undoing());
      // A program that has resigned would do so again: the move before goes back with it.
      if (game.outcome?.reason === 'resigned' && this.persons.length === 1 && !this.turn && this.game.ply > 0) this.game = await back(1);
    });
    await this.advance();
  }

  /** A search that only shows. */
  async think(demonstration = false): Promise<void> {
    this.message = '';
    await this.run(false, demonstration);
  }

  /** More samples for one move of the search that is shown, in the trees that it left. */
  async focus(move: string): Promise<void> {
    this.message = '';
    await this.run(false, false, { excluded: this.search?.excluded ?? [], focus: move });
  }

  /** The same search without these moves. */
  async exclude(moves: string[]): Promise<void> {
    this.message = '';
    await this.run(false, false, { excluded: moves, focus: null });
  }

  /** One move of a program. */
  async step(): Promise<void> {
    this.paused = true;
    this.message = '';
    if (await this.known()) await this.run(true);
  }

  async playOn(): Promise<void> {
    this.paused = false;
    this.message = '';
    if (await this.known()) await this.advance();
  }

  /** The best move so far counts, and the show is over. */
  async moveNow(): Promise<void> {
    const game = this.game;
    this.search?.leave();
    if (!game || !this.search?.running) return;
    try {
      await service.stop(game.id);
    } catch (error) {
      await this.fail(error);
    }
  }

  /** The player that would think for a side: its own, or for a person its opponent. */
  thinker(side: Side): string | null {
    return this.game?.[side].player ?? this.game?.[other(side)].player ?? null;
  }

  /** The side to move sits before the screen. */
  uncover(): void {
    this.viewer = this.game?.to_move ?? null;
  }

  /** What the service has refused, or that it does not answer: what is known of the game goes by it. */
  async fail(error: unknown, id = this.game?.id): Promise<void> {
    const status = error instanceof Refusal ? error.status : null;
    if (status === 404 && id !== undefined) return this.forget(id);
    const before = this.game;
    if (status === 409 && before) {
      // It may be that another window has the same game: then this one is behind.
      const now = await service.look(before.id).catch(() => before);
      if (this.game !== before) return;
      if (now.searching || !same(now, before)) {
        this.game = now;
        this.message = now.searching ? 'A program thinks about this game already, perhaps for another window.' : 'The game has gone on in another window.';
        if (now.searching) void this.follow();
        return;
      }
    }
    this.error = said(error);
  }

  private forget(id: string): void {
    const { game } = this;
    this.leave();
    this.forgotten = { id, again: game?.id === id ? again(game) : null };
    this.game = null;
    this.search = null;
    this.error = null;
    this.message = '';
    sessionStorage.removeItem(LAST);
  }

  private sit(game: Game): void {
    this.leave();
    this.game = game;
    this.search = null;
    this.error = null;
    this.message = '';
    this.forgotten = null;
    this.cuts = 0;
    // Nothing is secret yet where nothing was played. Later nobody knows who has opened the page.
    this.viewer = game.ply === 0 ? game.to_move : null;
    sessionStorage.setItem(LAST, game.id);
  }

  private async advance(): Promise<void> {
    const game = this.game;
    if (!game || game.outcome || this.thinking || this.elsewhere || this.paused || this.error) return;
    if (game[game.to_move].player !== null) await this.run(true);
  }

  private async run(play: boolean, demonstration = false, steering: Steering = { excluded: [], focus: null }): Promise<void> {
    const game = this.game;
    if (!game || this.thinking || this.elsewhere || this.busy) return;
    const search = new Search(game, play, steering.excluded);
    const stream = new AbortController();
    this.search?.leave();
    this.search = search;
    this.stream = stream;
    this.thinking = true;
    this.error = null;
    if (demonstration || preferences.slow) search.show(demonstration || !play);
    const player = this.thinker(game.to_move);
    const order: Schemas['SearchOrder'] = { play };
    if (!play && player !== null) order.player = player;
    // Those who play phantom games are not compared: UCT does not play them.
    if (preferences.comparing && !game.hidden && !player?.startsWith('uct') && steering.focus === null) order.beside = 'uct';
    if (steering.excluded.length > 0) order.avoid = steering.excluded;
    if (steering.focus !== null) order.focus = steering.focus;
    let whole = false;
    let failure: unknown = null;
    try {
      for await (const told of events('POST', `${pathOf(game.id)}/search`, order, stream.signal)) {
        whole ||= told.event === 'end' || told.event === 'error';
        if (told.event === 'game') {
          this.game = told.data as Game;
          this.message = '';
          this.cuts = 0;
        } else if (told.event === 'error') this.error = (told.data as { error: string }).error;
        else search.hear(told);
      }
    } catch (error) {
      failure = error;
    }
    search.end();
    if (this.error || !whole) search.leave();
    await search.over();
    if (this.stream !== stream) return;
    this.stream = null;
    this.thinking = false;
    if (!whole) await this.recover(game, failure);
    else if (play && !this.error && this.game === game) {
      // It was stopped before it had begun to think. Beginning again at once would undo that.
      this.paused = true;
      this.message = 'It was stopped before it had begun to think, so nothing is played yet.';
    }
    if (play) await this.advance();
  }

  /** Finds out how the game stands after the events of a search broke off: its move may have been played, or not. */
  private async recover(before: Game, failure: unknown): Promise<void> {
    // What was refused had never begun.
    if (failure instanceof Refusal && failure.status !== 0) return this.fail(failure);
    this.search = null;
    const { ticket } = this;
    this.busy = true;
    try {
      const now = await service.look(before.id);
      if (ticket !== this.ticket) return;
      this.game = now;
      const kept = now.searching || !same(now, before);
      this.cuts = kept ? 0 : this.cuts + 1;
      this.message = kept ? 'The connection was lost for a moment; this is how the game stands.' : 'The connection was lost, and with it what the search had found.';
      if (this.cuts >= MOST_CUTS) this.error = 'The search was cut off again.';
    } catch (error) {
      if (ticket === this.ticket) await this.fail(error);
    } finally {
      this.busy = false;
    }
    if (this.game?.searching) await this.follow();
  }

  /** Waits while a search goes on that is not ours, of another window or of a page that was left; then goes on. */
  private async follow(): Promise<void> {
    const { ticket } = this;
    this.elsewhere = true;
    try {
      while (this.game?.searching) {
        await wait(LOOK_MS);
        if (ticket !== this.ticket) return;
        const now = await service.look(this.game.id);
        if (ticket !== this.ticket) return;
        this.game = now;
      }
      this.message = '';
    } catch (error) {
      if (ticket === this.ticket) await this.fail(error);
    }
    if (ticket !== this.ticket) return;
    this.elsewhere = false;
    await this.advance();
  }

  /** Looks how the game stands after something went wrong; whether it is known now. No move is asked for before. */
  private async known(): Promise<boolean> {
    const game = this.game;
    if (!game || this.busy) return false;
    if (this.error === null) return true;
    this.cuts = 0;
    await this.attempt(async () => {
      this.game = await service.look(game.id);
    });
    if (this.game?.searching) void this.follow();
    return this.error === null && !this.elsewhere;
  }

  /** Ends a search that is only watched, before a person does something; whether there was one. */
  private async quiet(): Promise<boolean> {
    const streamed = this.search?.running ?? false;
    this.leave();
    // The service notices a moment later that nobody listens.
    if (streamed) await wait(50);
    return streamed;
  }

  /** Does something that a person asked for; it is told whether a search was left for it. */
  private async attempt(what: (left: boolean) => Promise<unknown>): Promise<void> {
    this.busy = true;
    this.message = '';
    this.error = null;
    try {
      await what(await this.quiet());
    } catch (error) {
      await this.fail(error);
    } finally {
      this.busy = false;
    }
  }

  /** How many moves go back: two against a program, so that it is the person's turn again. A resignation is none. */
  private undoing(): number {
    const game = this.game;
    if (!game || this.persons.length !== 1 || game.outcome?.reason === 'resigned') return 1;
    return this.persons[0] === game.to_move ? 2 : 1;
  }
}
