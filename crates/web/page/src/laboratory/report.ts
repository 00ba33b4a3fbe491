// A store's report: what `tesuji show --json` prints, as crates/report writes it.
import type { Schemas } from '../lib/api';
import type { Judged } from './verdicts';

export interface Interval {
  low: number;
  high: number;
}

export interface Count {
  wins: number;
  draws: number;
  losses: number;
}

/** Numbers that are infinite, or none at all, are null. */
export interface Strength {
  elo: number | null;
  elo_interval: { low: number | null; high: number | null };
  nelo: number | null;
  nelo_interval: { low: number | null; high: number | null };
  los: number | null;
  draw_ratio: number | null;
  pairs_ratio: number | null;
}

export interface Comparison {
  measured: Count;
  published: number;
  published_games: number;
  difference: number;
  interval: Interval;
  z: number;
  verdict: Judged;
  to_decide: number | null;
}

/** A measured regret next to the published one. */
export interface MeanComparison {
  difference: number;
  interval: Interval;
  verdict: Judged;
  to_decide: number | null;
}

export interface CellResults {
  id: string;
  row: string;
  column: string;
  panel: string;
  game: string;
  player: string;
  opponent: string;
  count: Count;
  tally: { by_side: [Count, Count]; pairs: number[] };
  rate: number | null;
  interval: Interval;
  strength: Strength | null;
  distinct: number;
  mean_plies: number | null;
  /** Of an external engine they are unknown. */
  mean_samples: [number | null, number | null] | null;
  mean_samples_a_move: [number | null, number | null] | null;
  mean_seconds: number | null;
  mean_used: [number, number] | null;
  reasons: [string, number][];
  builds: string[];
  engines: [string[], string[]];
  voids: number;
  /** Games that were begun and are not over. */
  in_flight: number;
  disagreements?: { engine: string; counted: number; games: number; first: number; score: string; count: string }[];
  published: { rate: number; games: number; as_white: number | null; is_comparable: boolean } | null;
  comparison: Comparison | null;
}

export interface ChiSquare {
  statistic: number;
  degrees: number;
  p: number;
}

/** How many published numbers have each verdict. */
export interface VerdictCount {
  agrees: number;
  off: number;
  differs: number;
  open: number;
  not_judged: number;
}

/** How one row of a table agrees with the published one. */
export interface RowVerdicts {
  row: string;
  verdicts: VerdictCount;
  chi_square: ChiSquare | null;
}

export interface GridResults {
  title: string;
  label: string;
  budget: string | null;
  cells: CellResults[];
  verdicts: VerdictCount;
  chi_square: ChiSquare | null;
  by_row: RowVerdicts[];
  /** Its verdicts in sentences. */
  summary: string | null;
}

export interface MatchResults {
  name: string;
  title: string;
  paper: string;
  text: string;
  rules: string;
  command?: string;
  games: number;
  grids: GridResults[];
  /** The rating lists of a tournament. */
  tournament?: Schemas['Tournament'];
}

export interface MatchReport {
  kind: 'matches';
  whole: MatchResults;
  quick: MatchResults | null;
  others: CellResults[];
  voids: { id: string; contestant: string; reason: string; message: string }[];
  builds: string[];
}

export interface Measured {
  series: string;
  group: string;
  x: number;
  arms: string;
  policy: string;
  budget: number;
  runs: number;
  regret: number;
  se: number;
  p_wrong: number;
  p_wrong_se: number;
  cumulative: number;
  cumulative_se: number;
  spent: number;
  published?: { value: number; runs: number };
  comparison?: MeanComparison;
}

export interface MeasuredPanel {
  title: string;
  shape: 'bars' | 'lines';
  label: string;
  cells: Measured[];
}

export interface BanditResults {
  name: string;
  title: string;
  paper: string;
  text: string;
  runs: number;
  columns: number;
  panels: MeasuredPanel[];
}

export interface BanditReport {
  kind: 'bandits';
  name: string;
  title: string;
  paper: string;
  results: BanditResults | null;
  /** Its verdicts in a sentence. */
  summary: string | null;
  command: string;
  cell_commands: string[];
}

export interface Unreadable {
  kind: 'unreadable';
  name: string;
  reason: string;
}

export type ExperimentReport = MatchReport | BanditReport | Schemas['Tuning'] | Unreadable;

export interface StoreReport {
  store: string;
  /** The verdicts on all published numbers and their rule, in sentences. */
  summary: string | null;
  experiments: ExperimentReport[];
}

export function gamesOf(cell: { count: Count }): number {
  return cell.count.wins + cell.count.draws + cell.count.losses;
}

/** Whether a cell has games, finished or in flight. */
export function isBegun(cell: CellResults): boolean {
  return gamesOf(cell) > 0 || cell.in_flight > 0;
}

export function pointsOf(count: Count): number {
  return count.wins + count.draws / 2;
}

export function nameOf(experiment: ExperimentReport): string {
  return experiment.kind === 'matches' ? experiment.whole.name : experiment.name;
}

export function titleOf(experiment: ExperimentReport): string {
  const title = experiment.kind === 'matches' ? experiment.whole.title : experiment.kind === 'unreadable' ? '' : experiment.title;
  return title || nameOf(experiment);
}

export type VersionName = 'whole' | 'quick';

/** What was played of an experiment, the whole first; the whole too where there is nothing else to show. */
export function versions(report: MatchReport): [VersionName, MatchResults][] {
  const all: [VersionName, MatchResults][] = [];
  if (report.whole.grids.some((grid) => grid.cells.some(isBegun))) all.push(['whole', report.whole]);
  if (report.quick) all.push(['quick', report.quick]);
  return all;
}

export interface FoundCell {
  cell: CellResults;
  results: MatchResults;
  version: VersionName;
  /** Where it stands in its table, in words. */
  where: string;
}

/** A cell of a store by its id, and in what it is found. */
export function findCell(store: StoreReport, id: string): FoundCell | null {
  for (const report of store.experiments) {
    if (report.kind !== 'matches') continue;
    for (const version of ['whole', 'quick'] as const) {
      const results = report[version];
      const grid = results?.grids.find((one) => one.cells.some((cell) => cell.id === id));
      const cell = grid?.cells.find((one) => one.id === id);
      if (results && grid && cell) return { cell, results, version, where: whereOf(cell, grid.label) };
    }
    const other = report.others.find((one) => one.id === id);
    if (other) return { cell: other, results: report.whole, version: 'whole', where: whereOf(other, '') };
  }
  return null;
}

/** A row and a column in words; of a match, whose column is the player, the row alone. */
export function whereOf(cell: CellResults, label: string): string {
  if (!cell.column || cell.column === cell.player) return cell.row;
  return `${cell.row}, ${label ? `${label} = ` : ''}${cell.column}`;
}
