// Commands as one types them.
import { type CellResults, type MatchResults, type VersionName, gamesOf } from './report';
import type { Tuning } from './tunings';

/** A word as a shell takes it. */
export function inShell(word: string): string {
  return /^[A-Za-z0-9_./:@=+,%-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

function file(results: MatchResults): string {
  return inShell(`experiments/${results.name}.toml`);
}

/** What plays a whole experiment, or goes on with it. */
export function experimentCommand(results: MatchResults, version: VersionName, store: string): string {
  // The command of a tournament has its number of games already.
  if (results.command && results.tournament) return `${results.command} --store ${inShell(store)}`;
  if (results.command) return `${results.command} --games ${results.games} --store ${inShell(store)}`;
  return `tesuji run ${file(results)}${version === 'quick' ? ' --quick' : ''} --store ${inShell(store)}`;
}

/** What plays a cell again, and its games in flight to their ends. */
export function cellCommand(results: MatchResults, cell: CellResults, version: VersionName, store: string): string {
  if (results.tournament) return experimentCommand(results, version, store);
  const games = gamesOf(cell) + cell.in_flight;
  if (results.command) return `${results.command} --games ${games} --store ${inShell(store)}`;
  const part = version === 'quick' ? `--quick --only ${cell.id}` : `--only ${cell.id} --games ${games}`;
  return `tesuji run ${file(results)} ${part} --store ${inShell(store)}`;
}

/** The command that plays a tuning, or goes on with it. */
export function tuningCommand(tuning: Tuning, store: string): string {
  const command = tuning.command ?? `tesuji run ${inShell(`experiments/${tuning.name}.toml`)}`;
  return `${command} --store ${inShell(store)}`;
}

export interface BanditOrder {
  arms: string;
  policies: string[];
  budgets: number[];
  runs: number;
  score_noise: number | null;
  score_rate: number | null;
  seed: number;
}

/** What measures the same regrets on a command line. */
export function banditCommand(order: BanditOrder): string {
  const parts = ['tesuji bandit', `--arms ${inShell(order.arms)}`, `--budget ${order.budgets.join(',')}`];
  parts.push(...order.policies.map((policy) => `--policy ${inShell(policy)}`), `--runs ${order.runs}`);
  if (order.score_noise !== null) parts.push(`--score-noise ${order.score_noise}`);
  if (order.score_rate !== null) parts.push(`--score-rate ${order.score_rate}`);
  if (order.seed !== 1) parts.push(`--seed ${order.seed}`);
  return parts.join(' ');
}
