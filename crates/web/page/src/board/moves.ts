// What a move text names on the board, and what a click on a cell means among the moves that are legal.
import type { Board } from '../lib/api';

const CELL = /^[a-z]\d+$/;
/** A step is written a2-a3, and a2xb3 where it captures. */
const BETWEEN = /[-x]/;

/** The cells that a move names, in its order; none for 'pass' and the like. */
export function cellsOf(move: string): string[] {
  const parts = move.split(BETWEEN);
  return parts.every((part) => CELL.test(part)) ? parts : [];
}

/** Moves without a place on the board: these become buttons. */
export function elsewhere(legal: string[]): string[] {
  return legal.filter((move) => cellsOf(move).length === 0);
}

/** What a click means. */
export type Meaning = { kind: 'play'; move: string } | { kind: 'select' } | { kind: 'unselect' } | { kind: 'nothing' };

export function meaning(board: Board, legal: string[], selected: string | null, cell: string): Meaning {
  if (board.names === 'domino') {
    const move = domino(legal, cell);
    return move === null ? { kind: 'nothing' } : { kind: 'play', move };
  }
  if (board.names === 'from-to') {
    if (selected === cell) return { kind: 'unselect' };
    const step = selected === null ? undefined : legal.find((move) => begins(move, selected) && ends(move, cell));
    if (step !== undefined) return { kind: 'play', move: step };
    if (legal.includes(cell)) return { kind: 'play', move: cell };
    if (legal.some((move) => begins(move, cell))) return { kind: 'select' };
    return { kind: 'nothing' };
  }
  return legal.includes(cell) ? { kind: 'play', move: cell } : { kind: 'nothing' };
}

/** Whether a move of two cells begins at a cell. */
export function begins(move: string, cell: string): boolean {
  const [from, to] = cellsOf(move);
  return from === cell && to !== undefined;
}

/** Whether a move of two cells ends at a cell. */
export function ends(move: string, cell: string): boolean {
  return cellsOf(move)[1] === cell;
}

/** The domino that begins at a cell; or that ends there, where none begins. */
function domino(legal: string[], cell: string): string | null {
  return legal.find((move) => begins(move, cell)) ?? legal.find((move) => ends(move, cell)) ?? null;
}

/** The cells that a click would do something with: targets of the piece that is selected, or where to begin. */
export function targets(board: Board, legal: string[], selected: string | null): Set<string> {
  const found = new Set<string>();
  for (const move of legal) {
    const [from, to] = cellsOf(move);
    if (from === undefined) continue;
    if (board.names === 'domino') {
      found.add(from);
      if (to !== undefined) found.add(to);
    } else if (to === undefined) found.add(from);
    else if (selected === from) found.add(to);
  }
  return found;
}

/** Own pieces that can move. */
export function movable(board: Board, legal: string[]): Set<string> {
  if (board.names !== 'from-to') return new Set();
  return new Set(legal.map(cellsOf).flatMap(([from, to]) => (from !== undefined && to !== undefined ? [from] : [])));
}
