// A tuning in words, as the reports of the command line write it.
import type { Schemas } from '../lib/api';
import { decimal, grouped, percent, shareRange } from '../plot/numbers';

export type Tuning = Schemas['Tuning'];
export type Candidate = Schemas['TunedCandidate'];

/** The candidates that a table shows at first. */
export const SHOWN = 10;

/** A difference of shares in points, with its sign. */
export function points(difference: number): string {
  const text = decimal(100 * difference, 1);
  return difference > 0 ? `+${text}` : text;
}

/** The candidates with the greatest expected win rates, and the default configuration. */
export function shownCandidates(tuning: Tuning, all: boolean): Candidate[] {
  return tuning.candidates.filter((candidate, place) => all || place < SHOWN || candidate.is_default);
}

/** The values of a candidate; a default configuration that is not in the ranges has none. */
export function valuesOf(tuning: Tuning, candidate: Candidate): string[] {
  return candidate.values.length > 0 ? candidate.values : tuning.parameters.map(() => 'default');
}

/** Why no more games are wanted, or how many are missing. */
export function progressText(tuning: Tuning): string {
  return tuning.stopped === null ? `${grouped(tuning.games - tuning.played)} games are missing.` : `Stopped: ${tuning.stopped}.`;
}

/** How likely the best candidate is nearly the best configuration. */
export function chanceText(tuning: Tuning): string {
  if (tuning.chance === null) return '';
  return `With a chance of ${decimal(100 * tuning.chance, 0)} % its win rate is at most ${decimal(100 * tuning.within, 1)} points below that of the best configuration.`;
}

/** What the fresh games say, in sentences. */
export function verdictText(confirmed: Schemas['Confirmed']): string {
  const sentences = confirmed.is_complete ? [] : ['Some fresh games are missing.'];
  const expectations = confirmed.finalists.map((finalist) => finalist.expected ?? 0);
  const best = confirmed.finalists[expectations.lastIndexOf(Math.max(...expectations))];
  if (best?.is_default) sentences.push('The model expects the default to be the best.');
  const [winner] = confirmed.finalists;
  if (!winner || winner.is_default) return sentences.join(' ');
  const { expected, fresh, gain } = winner;
  if (expected !== null && fresh) {
    const off = `${decimal(100 * Math.abs(expected - fresh.rate), 1)} points too ${expected >= fresh.rate ? 'much' : 'little'}`;
    sentences.push(`The first finalist was expected to win ${percent(expected)} %, and won ${percent(fresh.rate)} % (${shareRange(fresh.interval)}) of fresh games: tuning promised ${off}.`);
  }
  if (gain) {
    const verdict = gain.interval.low > 0 ? 'is better than the default' : gain.interval.high < 0 ? 'is worse than the default' : 'is not shown to differ from the default';
    sentences.push(`Against the same opponents it ${verdict}: ${points(gain.difference)} points (${points(gain.interval.low)} to ${points(gain.interval.high)}).`);
  }
  const direct = confirmed.against_default;
  if (direct) {
    const { elo, elo_interval: ends } = confirmed;
    const strength = elo === null || !ends ? '' : `, ${decimal(elo, 0)} (${decimal(ends.low, 0)} to ${decimal(ends.high, 0)}) Elo`;
    sentences.push(`Against the default itself it won ${percent(direct.rate)} % (${shareRange(direct.interval)}) of ${grouped(direct.games)} games${strength}.`);
  }
  return sentences.join(' ');
}
