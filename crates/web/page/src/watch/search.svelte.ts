// A search that is watched: the player's, and that of the one beside it, and which step of it is shown.
//
// A search of some thousand samples is over before anybody has seen it. So a show follows it: each round
// stays for a moment, and the page waits for the show where it would otherwise jump.
import type { Game, Schemas, Told } from '../lib/api';
import { keep, nothing, step, steps, withRound, type Begun, type Decided, type Progress, type Track } from './track';

const ROUND_MS = 700;
/** Long enough to read a sentence or two. */
const READ_MS = 2200;
const SNAPSHOT_MS = 130;

export class Search {
  player = $state.raw<Track>(nothing());
  beside = $state.raw<Track>(nothing());
  /** Whether events still come in. */
  running = $state(true);
  /** The step that is shown; how it stands now, without. */
  at = $state<number | null>(null);
  /** Whether the steps go by by themselves. */
  playing = $state(false);

  readonly count = $derived(steps(this.player));
  readonly index = $derived(Math.min(this.at ?? this.count - 1, this.count - 1));
  readonly shown = $derived(step(this.player, this.index));
  readonly hidden = $derived(this.player.begun !== null && this.player.begun.moves.length === 0);
  /** Whether a position that has passed is looked at again. */
  readonly back = $derived(this.at !== null || this.playing);

  private next = 0;
  private reading = false;
  private timer: ReturnType<typeof setInterval> | undefined;
  private waiting: (() => void)[] = [];

  /** The position that is searched, whether its move is to be played, and the moves that may not be chosen. */
  constructor(
    readonly position: Game,
    readonly played: boolean,
    readonly excluded: string[] = [],
  ) {}

  hear({ event, data }: Told): void {
    const { who } = data as { who?: 'player' | 'beside' };
    if (who === 'beside') this.beside = told(this.beside, event, data);
    else if (who === 'player') {
      const first = event === 'round' && (data as { index: number }).index === 0;
      this.player = told(this.player, event, data);
      // The show does not wait for its clock to begin: the whole search may be over by then.
      if (first && this.playing) this.show(this.reading);
    }
  }

  /** All is told. */
  end(): void {
    this.running = false;
    if (this.playing && this.player.rounds.length === 0) this.stop();
  }

  /** Lets the rounds go by from the first one, those still to come included; slowly enough for reading, where that is all one does. */
  show(reading = !this.running): void {
    clearInterval(this.timer);
    this.next = 0;
    this.reading = reading;
    this.playing = true;
    this.timer = setInterval(() => this.tick(), this.player.rounds.length === 0 && !this.running ? SNAPSHOT_MS : reading ? READ_MS : ROUND_MS);
    this.tick();
  }

  toggle(): void {
    if (this.playing) this.stop();
    else this.show();
  }

  /** Shows one step, and stays there. The last one is how it stands now. */
  stay(at: number): void {
    this.stop();
    this.at = at >= this.count - 1 && !this.played ? null : at;
  }

  /** Ends the show and looking back. */
  leave(): void {
    this.stop();
    this.at = null;
  }

  /** When the show is over. */
  over(): Promise<void> {
    return this.playing ? new Promise((resolve) => this.waiting.push(resolve)) : Promise.resolve();
  }

  private stop(): void {
    clearInterval(this.timer);
    this.playing = false;
    for (const resolve of this.waiting.splice(0)) resolve();
  }

  private tick(): void {
    const last = this.count - 1;
    const halves = this.player.rounds.length > 0;
    if (this.next < last && (halves || !this.running)) {
      this.at = this.next;
      this.next += 1;
      return;
    }
    // Beyond the last round so far is what comes in just now, and in the end the result.
    this.at = null;
    if (this.player.decided === null && this.running) return;
    if (this.next === last) this.next += 1;
    else this.stop();
  }
}

function told(track: Track, event: string, data: unknown): Track {
  if (event === 'begun') return { ...nothing(), begun: data as Begun };
  if (event === 'round') return withRound(track, data as Schemas['RoundEvent']);
  if (event === 'decided') return { ...track, decided: data as Decided };
  if (event !== 'progress') return track;
  const progress = data as Progress;
  return { ...track, snapshots: progress.visits.length > 0 ? keep(track.snapshots, progress) : track.snapshots, latest: progress };
}
