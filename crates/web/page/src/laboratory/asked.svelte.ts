// What the service was asked for, as a view shows it: nothing yet, the answer, or what is wrong.
import { json } from '../lib/api';

export class Asked<T> {
  value = $state.raw<T | null>(null);
  problem = $state<string | null>(null);
  #path = '';

  /** Asks. What was there before stays until the answer is there, if it is the same that is asked for. */
  async ask(path: string): Promise<void> {
    if (path !== this.#path) {
      this.value = null;
      this.problem = null;
    }
    this.#path = path;
    try {
      const value = await json<T>('GET', path);
      // Somebody may have asked for something else meanwhile.
      if (path !== this.#path) return;
      this.value = value;
      this.problem = null;
    } catch (error) {
      if (path === this.#path) this.problem = error instanceof Error ? error.message : String(error);
    }
  }
}

/** The address of a store at the service. */
export function storePath(store: string, ...rest: string[]): string {
  return ['/api/laboratory/stores', ...[store, ...rest].map(encodeURIComponent)].join('/');
}
