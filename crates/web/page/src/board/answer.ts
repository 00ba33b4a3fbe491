// Why a click did nothing, in a kind sentence.
import type { Board, Side } from '../lib/api';
import { cellsOf, ends } from './moves';

export const named = (side: Side): string => (side === 'black' ? 'Black' : 'White');

export interface Asked {
  board: Board;
  cell: string;
  /** Whose piece is on the cell: 'X', 'O' or '.'. */
  piece: string;
  legal: string[];
  tried: string[];
  sideToMove: Side;
  selected: string | null;
}

export function answer({ board, cell, piece, legal, tried, sideToMove, selected }: Asked): string {
  const own = sideToMove === 'black' ? 'X' : 'O';
  if (tried.includes(cell)) return `The referee has refused ${cell} already. Try somewhere else.`;
  if (board.names === 'from-to') {
    if (piece === own) return `The piece on ${cell} has no legal move.`;
    if (selected !== null) return `The piece on ${selected} cannot go to ${cell}.`;
    if (piece !== '.') return `That is the enemy's piece. ${named(sideToMove)} is to move.`;
    const reachable = legal.some((move) => ends(move, cell));
    return reachable ? `Choose one of your pieces first, then ${cell}.` : `There is no legal move to ${cell}.`;
  }
  if (piece !== '.') return `${cell} is taken.`;
  if (board.names === 'domino') {
    const way = lying(legal);
    return `No ${way}domino fits on ${cell}: ${named(sideToMove)} needs two free cells in line.`;
  }
  return `There is no legal move on ${cell}.`;
}

/** Which way the dominoes of the side to move lie, where there is one to be seen. */
function lying(legal: string[]): string {
  const [from, to] = legal.map(cellsOf).find((cells) => cells.length === 2) ?? [];
  if (!from || !to) return '';
  return from[0] === to[0] ? 'upright ' : 'flat ';
}
