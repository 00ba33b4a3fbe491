// Verdicts on published numbers, in words: those of rates come with the report, those of regrets are found
// here as crates/report/src/experiment.rs does.
import { decimal } from '../plot/numbers';
import { type CellResults, type ChiSquare, type GridResults, type Measured, type StoreReport, gamesOf } from './report';

export type Verdict = 'agrees' | 'off' | 'differs' | 'too few' | 'other budget';

/** The verdict on a cell of matches; nothing where nothing was published or played. */
export function cellVerdict(cell: CellResults): Verdict | null {
  if (cell.comparison) return cell.comparison.verdict === 'too-few' ? 'too few' : cell.comparison.verdict;
  return cell.published && gamesOf(cell) > 0 && !cell.published.is_comparable ? 'other budget' : null;
}

/** Fewer wrong runs than this have no standard error worth the name. */
const FEW_WRONG = 5;

/** The verdict on a regret: it agrees within four standard errors of the difference, or within 5 %. The
 *  published number's error is not printed: it is taken to be that of as many runs with the deviation found here. */
export function regretVerdict(cell: Measured): Verdict | null {
  const { published, runs, se, regret } = cell;
  if (!published) return null;
  if (cell.p_wrong * runs < FEW_WRONG - 0.5) return 'too few';
  const theirs = se * Math.sqrt(runs / published.runs);
  const difference = Math.abs(regret - published.value);
  return difference <= 4 * Math.hypot(se, theirs) || difference <= 0.05 * published.value ? 'agrees' : 'differs';
}

/** How many of a table's published rates agree, what to expect of that by chance, and χ² of the whole. */
export function sentences(grid: GridResults): string[] {
  const number = (verdict: Verdict): number => grid.cells.filter((cell) => cellVerdict(cell) === verdict).length;
  const [agree, off, differ, few] = [number('agrees'), number('off'), number('differs'), number('too few')];
  const judged = agree + off + differ;
  const all: string[] = [];
  if (judged > 0) {
    const chance = judged / 20;
    const words = decimal(chance, chance < 10 && !Number.isInteger(chance) ? 1 : 0);
    all.push(
      `Of ${judged} published rates ${fared(agree, off, differ)}; ` +
        `by chance alone ${words} would be outside their 95 % intervals.`,
    );
  }
  if (grid.chi_square) all.push(`The whole table: ${chiSquare(grid.chi_square)}.`);
  if (few > 0) all.push(`${few} ${few === 1 ? 'cell has' : 'cells have'} fewer than ten games, too few to judge.`);
  if (number('other budget') > 0) all.push('Published rates are of another budget: shown, not judged.');
  return all;
}

function fared(agree: number, off: number, differ: number): string {
  return `${agree} ${agree === 1 ? 'agrees' : 'agree'}, ${off} ${off === 1 ? 'is' : 'are'} off and ${differ} ${differ === 1 ? 'differs' : 'differ'}`;
}

function chiSquare({ statistic, degrees, p }: ChiSquare): string {
  const words = p < 0.001 ? 'p < 0.001' : `p = ${p.toFixed(p < 0.01 ? 3 : 2)}`;
  return `χ² = ${decimal(statistic, 1)} on ${degrees} ${degrees === 1 ? 'degree' : 'degrees'} of freedom, ${words}`;
}

/** How the published regrets of an experiment fared. */
export function regretSentence(cells: Measured[]): string {
  const verdicts = cells.map(regretVerdict);
  const [agree, differ, few] = (['agrees', 'differs', 'too few'] as const).map((one) => verdicts.filter((verdict) => verdict === one).length);
  const words = `Of ${(agree ?? 0) + (differ ?? 0)} published regrets that can be judged ${agree} ${agree === 1 ? 'agrees' : 'agree'} and ${differ} ${differ === 1 ? 'differs' : 'differ'}.`;
  return few ? `${words} ${few} more have too few wrong runs to judge.` : words;
}

/** How all published numbers of a store fared; nothing where none can be judged. */
export function compared(report: StoreReport): string {
  const rates: (Verdict | null)[] = [];
  const regrets: Measured[] = [];
  for (const experiment of report.experiments) {
    if (experiment.kind === 'matches') {
      const grids = [...experiment.whole.grids, ...(experiment.quick?.grids ?? [])];
      rates.push(...grids.flatMap((grid) => grid.cells.map(cellVerdict)));
    } else if (experiment.kind === 'bandits') regrets.push(...(experiment.results?.panels.flatMap((panel) => panel.cells) ?? []));
  }
  const [agree, off, differ] = (['agrees', 'off', 'differs'] as const).map((one) => rates.filter((verdict) => verdict === one).length) as [number, number, number];
  const judged = agree + off + differ;
  const all: string[] = [];
  if (judged > 0) all.push(`Of ${judged} published ${judged === 1 ? 'rate' : 'rates'} ${fared(agree, off, differ)}.`);
  if (regrets.map(regretVerdict).some((verdict) => verdict === 'agrees' || verdict === 'differs')) all.push(regretSentence(regrets));
  return all.join(' ');
}
