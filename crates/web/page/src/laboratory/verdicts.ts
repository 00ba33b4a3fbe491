// Verdicts on published numbers. The report judges them; the page only shows them.
import { grouped } from '../plot/numbers';
import { type CellResults, gamesOf } from './report';

export type Judged = 'agrees' | 'off' | 'differs' | 'open';
export type Verdict = Judged | 'other budget';

/** The verdict on a cell of matches; nothing where nothing was published or played. */
export function cellVerdict(cell: CellResults): Verdict | null {
  if (cell.comparison) return cell.comparison.verdict;
  return cell.published && gamesOf(cell) > 0 && !cell.published.is_comparable ? 'other budget' : null;
}

/** A probability in few digits. */
export function pValue(p: number): string {
  return p < 0.001 ? '< 0.001' : p.toFixed(p < 0.01 ? 3 : 2);
}

/** What would decide a cell's open verdict, in words. */
export function cellDecides(cell: CellResults): string {
  if (cell.comparison && cell.in_flight > 0) return 'it is judged when no game is in flight';
  return decides(cell.comparison, 'games');
}

/** How much would decide an open verdict, in words. */
export function decides(comparison: { verdict: Judged; to_decide: number | null } | null | undefined, unit: 'games' | 'runs'): string {
  if (comparison?.verdict !== 'open') return '';
  if (comparison.to_decide === null) return `no number of ${unit} decides it: too few were published`;
  return `about ${grouped(Number(comparison.to_decide.toPrecision(2)))} ${unit} decide it, if the number stays as it is`;
}
