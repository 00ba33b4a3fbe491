// A table as papers print it: rows against columns.
import { distinct } from './figures';
import { type CellResults, type GridResults, gamesOf, isBegun } from './report';

export interface Pivot {
  /** What the columns are. */
  label: string;
  columns: string[];
  rows: { name: string; cells: (CellResults | null)[] }[];
  /** The fewest and the most games of its cells. */
  games: [number, number];
}

/** The grid as a table, rows and columns without any game left out. `null` if it is only a row or a column, or
 *  has several cells in one place: then it is shown as a list. */
export function pivot(grid: GridResults): Pivot | null {
  const begun = grid.cells.filter(isBegun);
  const [names, columns] = [distinct(grid.cells.map((cell) => cell.row)), distinct(grid.cells.map((cell) => cell.column))].map((all, n) =>
    all.filter((one) => begun.some((cell) => (n === 0 ? cell.row : cell.column) === one)),
  );
  if (!names || !columns || names.length < 2 || columns.length < 2) return null;
  const rows: Pivot['rows'] = [];
  for (const name of names) {
    const cells: (CellResults | null)[] = [];
    for (const column of columns) {
      const here = grid.cells.filter((cell) => cell.row === name && cell.column === column);
      if (here.length > 1) return null;
      cells.push(here[0] ?? null);
    }
    rows.push({ name, cells });
  }
  const games = begun.map(gamesOf);
  return { label: grid.label, columns, rows, games: [Math.min(...games), Math.max(...games)] };
}
