// Results as figures.
import type { Figure, Point, Series } from '../plot/figure';
import { type Ends, decimal, percent, rangeText, withRange } from '../plot/numbers';
import type { Row } from './regrets';
import { type CellResults, type GridResults, type MeasuredPanel, gamesOf } from './report';
import type { BanditOrder } from './shell';
import { cellVerdict, pValue } from './verdicts';

/** Series at one place are drawn so far from each other, in places. */
const ASIDE = 0.12;

export function distinct(names: string[]): string[] {
  return [...new Set(names)];
}

/** A grid as figures: one for each panel that the file asks for, a series for each row, the columns from
 *  left to right. Where there is only one column, the rows stand there instead. */
export function gridFigures(grid: GridResults): Figure[] {
  const played = grid.cells.filter((cell) => gamesOf(cell) > 0);
  const [rows, columns] = [distinct(played.map((cell) => cell.row)), distinct(played.map((cell) => cell.column))];
  if (rows.length < 2 && columns.length < 2) return [];
  const turned = columns.length === 1;
  const places = turned ? rows : columns;
  const panels = turned ? [''] : distinct(played.map((cell) => cell.panel));
  const range = rateRange(played);
  return panels.map((panel): Figure => {
    const here = turned ? played : played.filter((cell) => cell.panel === panel);
    const names = turned ? [''] : distinct(here.map((cell) => cell.row));
    const series = names.flatMap((name, number): Series[] => {
      const cells = turned ? here : here.filter((cell) => cell.row === name);
      const aside = (number - (names.length - 1) / 2) * ASIDE;
      const at = (cell: CellResults): number => places.indexOf(turned ? cell.row : cell.column) + aside;
      const measured = cells.map((cell) => ratePoint(cell, at(cell), turned));
      const published = cells.flatMap((cell): Point[] =>
        cell.published ? [{ x: at(cell), y: 100 * cell.published.rate, place: turned ? cell.row : cell.column, note: `of ${cell.published.games} games` }] : [],
      );
      const words = name || columns[0] || 'won';
      const both: Series[] = [{ name: words, look: 'measured', colour: number, points: measured }];
      if (published.length > 0) both.push({ name: words, look: 'published', colour: number, points: published });
      return both;
    });
    return {
      title: panels.length > 1 ? panelTitle(grid, panel, names) : '',
      x: { label: turned ? '' : grid.label, scale: 'linear', places },
      y: { label: 'won, %', scale: 'linear', range, reference: 50 },
      marks: 'lines',
      series,
      told: (value, ends) => (ends === undefined ? `${decimal(value, 1)} %` : `${decimal(value, 1)} (${rangeText(ends)}) %`),
    };
  });
}

/** A panel's name; with one row in it, χ² of that row too. */
function panelTitle(grid: GridResults, panel: string, rows: string[]): string {
  const chi = rows.length === 1 ? grid.by_row.find(({ row }) => row === rows[0])?.chi_square : null;
  if (!chi) return panel;
  const p = pValue(chi.p);
  return `${panel}: χ² = ${decimal(chi.statistic, 1)} on ${chi.degrees}, p ${p.startsWith('<') ? p : `= ${p}`}`;
}

function ratePoint(cell: CellResults, x: number, turned: boolean): Point {
  const point: Point = {
    x,
    y: 100 * (cell.rate ?? 0),
    low: 100 * cell.interval.low,
    high: 100 * cell.interval.high,
    place: turned ? cell.row : cell.column,
    note: [`${gamesOf(cell)} games`, cellVerdict(cell)].filter(Boolean).join(', '),
  };
  if (cell.published) point.published = 100 * cell.published.rate;
  return point;
}

/** One range for all panels, so that they can be compared: whole twenties around everything, and always around 50. */
function rateRange(cells: CellResults[]): [number, number] {
  const all = cells.flatMap((cell) => [cell.interval.low, cell.interval.high, ...(cell.published ? [cell.published.rate] : [])]);
  const [low, high] = [Math.min(0.4, ...all), Math.max(0.6, ...all)];
  // A little room beyond 0 and 100, so that markers there are seen whole.
  return [20 * Math.floor(5 * low + 1e-9) - 3, 20 * Math.ceil(5 * high - 1e-9) + 3];
}

/** Of a normal distribution, 95 % lie within so many standard errors. */
export const Z_95 = 1.96;

/** Intervals of regrets are even. */
const regretTold = (value: number, ends?: Ends): string => withRange(value, ends && (ends.high - ends.low) / 2);

/** A panel of regrets. */
export function regretFigure(panel: MeasuredPanel): Figure {
  const bars = panel.shape === 'bars';
  const groups = distinct(panel.cells.map((cell) => cell.group));
  const names = distinct(panel.cells.map((cell) => cell.series));
  const series = names.flatMap((name, colour): Series[] => {
    const cells = panel.cells.filter((cell) => cell.series === name);
    const at = (cell: { group: string; x: number }): number => (bars ? groups.indexOf(cell.group) : cell.x);
    const measured = cells.map((cell): Point => {
      const point: Point = {
        x: at(cell),
        y: cell.regret,
        low: cell.regret - Z_95 * cell.se,
        high: cell.regret + Z_95 * cell.se,
        place: cell.group,
        note: [cell.policy, `wrong in ${percent(cell.p_wrong)} %`, cell.comparison?.verdict].filter(Boolean).join(', '),
      };
      if (cell.published) point.published = cell.published.value;
      return point;
    });
    const published = cells.flatMap((cell): Point[] => (cell.published ? [{ x: at(cell), y: cell.published.value, place: cell.group }] : []));
    const both: Series[] = [{ name, look: 'measured', colour, points: measured }];
    if (!bars && published.length > 0) both.push({ name, look: 'published', colour, points: published });
    return both;
  });
  return {
    title: panel.title,
    x: bars ? { label: panel.label, scale: 'linear', places: groups } : { label: panel.label, scale: 'log' },
    y: { label: 'simple regret', scale: bars ? 'linear' : 'log' },
    marks: bars ? 'bars' : 'lines',
    series,
    told: regretTold,
  };
}

/** Regrets as they come in, over all budgets that were asked for: the axis does not move while they do. */
export function rowsFigure(rows: Row[], order: BanditOrder): Figure {
  const names = distinct(rows.map((row) => row.policy));
  const [least, most] = [Math.min(...order.budgets), Math.max(...order.budgets)];
  const room = most > least ? (most / least) ** 0.05 : 2;
  return {
    title: '',
    x: { label: 'samples', scale: 'log', range: [least / room, most * room] },
    y: { label: 'simple regret', scale: 'log' },
    marks: 'lines',
    series: names.map((name, colour) => ({
      name,
      look: 'measured',
      colour,
      points: rows
        .filter((row) => row.policy === name)
        .map((row) => ({ x: row.budget, y: row.regret, low: row.regret - Z_95 * row.se, high: row.regret + Z_95 * row.se, note: `wrong in ${percent(row.wrong)} %` })),
    })),
    told: regretTold,
  };
}
