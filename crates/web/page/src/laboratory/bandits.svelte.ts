// The runs of bandits that were asked for last. They belong to the page and not to its view, so that they go on,
// and are still there, when somebody looks at something else meanwhile.
import { type Schemas, events } from '../lib/api';
import type { Fields } from './orders';
import type { Row } from './regrets';
import type { BanditOrder } from './shell';

class BanditRun {
  /** What was asked for: what is shown is of it, also when the form says something else by now. */
  order = $state.raw<BanditOrder | null>(null);
  rows = $state.raw<Row[]>([]);
  progress = $state.raw<Schemas['BanditProgress'] | null>(null);
  problem = $state('');
  ended = $state<'' | 'whole' | 'stopped'>('');
  /** What stands in the form. */
  fields = $state<Fields | null>(null);

  #stream = $state.raw<AbortController | null>(null);
  readonly running = $derived(this.#stream !== null);

  async start(order: BanditOrder): Promise<void> {
    this.#stream?.abort();
    const stream = new AbortController();
    this.#stream = stream;
    this.order = order;
    this.rows = [];
    this.progress = null;
    this.problem = '';
    this.ended = '';
    try {
      for await (const told of events('POST', '/api/bandits', order, stream.signal)) {
        if (this.#stream !== stream) return;
        if (told.event === 'progress') this.progress = told.data as Schemas['BanditProgress'];
        else if (told.event === 'rows') this.rows = [...this.rows, ...(told.data as Schemas['BanditRows']).rows];
        else if (told.event === 'error') this.problem = (told.data as Schemas['Error']).error;
        else if (told.event === 'end') this.ended = 'whole';
      }
      if (this.#stream === stream && !this.ended && !this.problem) this.problem = 'The server ended the runs before they were done.';
    } catch (error) {
      if (!stream.signal.aborted) this.problem = error instanceof Error ? error.message : String(error);
    }
    if (this.#stream === stream) this.#stream = null;
  }

  /** Whoever closes the connection stops the runs. */
  stop(): void {
    this.#stream?.abort();
    this.#stream = null;
    this.ended = 'stopped';
  }
}

export const run = new BanditRun();
