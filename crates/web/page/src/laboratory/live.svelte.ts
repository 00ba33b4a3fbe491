// How far a store's experiments are, as the service tells it while they run.
import { Refusal, type Schemas, events } from '../lib/api';
import { storePath } from './asked.svelte';

type Counts = Schemas['Live'];

/** A report is asked for anew at most so often, in milliseconds. */
const AT_MOST = 3000;
/** After the connection was lost, it is tried again after so long. */
const AGAIN = 5000;

export interface Progress {
  done: number;
  wanted: number;
  /** Whether something came in lately. */
  running: boolean;
  rate: number | null;
  /** Seconds that are left, guessed by the rate. */
  left: number | null;
}

export class Live {
  counts = $state.raw<Counts | null>(null);
  /** The experiments that grew when something last came in. */
  #growing = $state.raw<Set<string>>(new Set());

  /** How far an experiment is; nothing before the service has told. */
  of(name: string): Progress | null {
    const one = this.counts?.experiments.find((experiment) => experiment.name === name);
    if (!one || !this.counts) return null;
    const { rate } = this.counts;
    const open = this.counts.experiments.filter((experiment) => experiment.done < experiment.wanted);
    // Before anything grew under our eyes, it can only be the one that is not complete.
    const grows = this.#growing.has(name) || (this.#growing.size === 0 && open.length === 1 && open[0] === one);
    const running = rate !== null && rate > 0 && one.done < one.wanted && grows;
    return { done: one.done, wanted: one.wanted, running, rate, left: running && rate ? (one.wanted - one.done) / rate : null };
  }

  /** Listens until the signal is aborted; `changed` is called when there is more than at the beginning. */
  async listen(store: string, changed: () => void, signal: AbortSignal): Promise<void> {
    const soon = later(changed, signal);
    while (!signal.aborted) {
      try {
        for await (const told of events('GET', storePath(store, 'live'), undefined, signal)) {
          if (told.event === 'counts') this.#take(told.data as Counts, soon);
        }
      } catch (error) {
        // The view says itself where the store cannot be read; a lost connection is tried again.
        if (error instanceof Refusal && error.status !== 0 && error.status !== 429) return;
      }
      this.counts = this.counts && { ...this.counts, rate: null };
      await new Promise((done) => setTimeout(done, AGAIN));
    }
  }

  #take(counts: Counts, soon: () => void): void {
    const before = new Map(this.counts?.experiments.map((one) => [one.name, one.done]));
    const grown = counts.experiments.filter((one) => this.counts && one.done !== before.get(one.name)).map((one) => one.name);
    if (grown.length > 0) {
      this.#growing = new Set(grown);
      soon();
    }
    this.counts = counts;
  }
}

/** Calls at once, and then not again before some time has passed; the last call is never lost. */
function later(call: () => void, signal: AbortSignal): () => void {
  let last = -Infinity;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const now = (): void => {
    timer = undefined;
    if (signal.aborted) return;
    last = performance.now();
    call();
  };
  return () => {
    timer ??= setTimeout(now, Math.max(0, last + AT_MOST - performance.now()));
  };
}
