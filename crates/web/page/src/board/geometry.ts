// Where the cells of a board lie. Pure functions: a board in, coordinates out. A cell is 40 units wide
// whatever the shape, and SVG scales the whole.
import type { Board } from '../lib/api';

export const UNIT = 40;
const SIDE = UNIT / Math.sqrt(3);
const STEP = UNIT * (Math.sqrt(3) / 2);

export interface Spot {
  /** Its place in the string of cells. */
  index: number;
  name: string;
  column: number;
  row: number;
  x: number;
  y: number;
}

export interface Label {
  text: string;
  x: number;
  y: number;
}

/** The letters of the columns. Go has left out the i for so long that everybody expects it. */
const letters = (board: Board): string => (board.shape === 'goban' ? 'abcdefghjklmnopqrstuvwxyz' : 'abcdefghijklmnopqrstuvwxyz');

/** The place of a cell in the string of cells. */
export function placeOf(board: Board, cell: string): number {
  return board.width * (Number(cell.slice(1)) - 1) + letters(board).indexOf(cell[0] ?? '');
}

export function spots(board: Board): Spot[] {
  const all: Spot[] = [];
  for (let row = 0; row < board.height; row += 1) {
    for (let column = 0; column < board.width; column += 1) {
      const name = `${letters(board)[column] ?? '?'}${row + 1}`;
      all.push({ index: row * board.width + column, name, column, row, ...centre(board, column, row) });
    }
  }
  return all;
}

function centre(board: Board, column: number, row: number): { x: number; y: number } {
  if (board.shape === 'hexagons') return { x: (column + row / 2) * UNIT, y: row * STEP };
  return { x: column * UNIT, y: (board.height - 1 - row) * UNIT };
}

/** The rows as they are seen, the highest first. */
export function rowsFromTop(board: Board, all: Spot[]): Spot[][] {
  const rows = Array.from({ length: board.height }, (_, row) => all.slice(row * board.width, (row + 1) * board.width));
  return board.shape === 'hexagons' ? rows : rows.reverse();
}

/** The outline of a cell: what can be clicked, and what lights up. */
export function outline(board: Board, spot: Spot): string {
  const { x, y } = spot;
  const half = UNIT / 2;
  const corners: [number, number][] =
    board.shape === 'hexagons'
      ? [[0, -SIDE], [half, -SIDE / 2], [half, SIDE / 2], [0, SIDE], [-half, SIDE / 2], [-half, -SIDE / 2]]
      : [[-half, -half], [half, -half], [half, half], [-half, half]];
  return corners.map(([dx, dy]) => `${x + dx},${y + dy}`).join(' ');
}

/** The four sides of a hexagonal board, as lines along its outermost cells. */
export function sides(board: Board, all: Spot[]): { side: 'black' | 'white'; points: string }[] {
  const half = UNIT / 2;
  const at = (column: number, row: number, offsets: [number, number][]) => {
    const spot = all[row * board.width + column];
    return spot ? offsets.map(([dx, dy]) => `${spot.x + dx},${spot.y + dy}`) : [];
  };
  const columns = Array.from({ length: board.width }, (_, column) => column);
  const rows = Array.from({ length: board.height }, (_, row) => row);
  const top = columns.flatMap((column) => at(column, 0, [[-half, -SIDE / 2], [0, -SIDE], [half, -SIDE / 2]]));
  const bottom = columns.flatMap((column) => at(column, board.height - 1, [[-half, SIDE / 2], [0, SIDE], [half, SIDE / 2]]));
  const left = rows.flatMap((row) => at(0, row, [[-half, -SIDE / 2], [-half, SIDE / 2]]));
  const right = rows.flatMap((row) => at(board.width - 1, row, [[half, -SIDE / 2], [half, SIDE / 2]]));
  return [
    { side: 'white', points: left.join(' ') },
    { side: 'white', points: right.join(' ') },
    { side: 'black', points: top.join(' ') },
    { side: 'black', points: bottom.join(' ') },
  ];
}

/** The part of the plane that is drawn: x, y, width, height. */
export function frame(board: Board): [number, number, number, number] {
  const lettering = fontSize(board) * 1.7;
  const half = UNIT / 2 + 3;
  if (board.shape === 'hexagons') {
    const width = (board.width - 1 + (board.height - 1) / 2) * UNIT;
    const height = (board.height - 1) * STEP;
    const edge = SIDE + 6;
    return [-half - lettering - 4, -edge - lettering, width + 2 * half + lettering + 10, height + 2 * edge + lettering];
  }
  const width = (board.width - 1) * UNIT;
  const height = (board.height - 1) * UNIT;
  return [-half - lettering, -half, width + 2 * half + lettering, height + 2 * half + lettering];
}

/** Letters grow with the board, so that they can still be read where a large one is drawn small. */
export function fontSize(board: Board): number {
  return 8 + Math.max(board.width, board.height) * 0.55;
}

export function labels(board: Board, all: Spot[]): Label[] {
  const away = UNIT / 2 + fontSize(board) * 0.95;
  const found: Label[] = [];
  for (const spot of all) {
    if (spot.column === 0) found.push({ text: String(spot.row + 1), x: spot.x - away - (board.shape === 'hexagons' ? 5 : 0), y: spot.y });
    if (spot.row !== 0) continue;
    const below = board.shape === 'hexagons' ? -SIDE - 5 - fontSize(board) * 0.8 : away;
    found.push({ text: letters(board)[spot.column] ?? '?', x: spot.x, y: spot.y + below });
  }
  return found;
}

/** The star points of a goban. */
export function stars(board: Board, all: Spot[]): Spot[] {
  const columns = starLines(board.width);
  const rows = starLines(board.height);
  return all.filter((spot) => {
    const centre = 2 * spot.column === board.width - 1 && 2 * spot.row === board.height - 1;
    return centre || (columns.includes(spot.column) && rows.includes(spot.row));
  });
}

/** The lines that star points lie on, besides the centre: small boards have none, and only large ones the middle. */
function starLines(length: number): number[] {
  if (length < 7) return [];
  const edge = length < 13 ? 2 : 3;
  const middle = length >= 13 && length % 2 === 1 ? [(length - 1) / 2] : [];
  return [edge, length - 1 - edge, ...middle];
}
