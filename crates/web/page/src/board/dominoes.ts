// Which two cells are one domino. The cells only say whose they are; but one side lays all its dominoes
// across and the other all along, so every row (or column) of a colour is cut into pairs from its start.
import type { Board } from '../lib/api';

export interface Piece {
  colour: 'X' | 'O';
  first: number;
  second: number;
}

export function dominoes(board: Board, cells: string): Piece[] {
  return (['X', 'O'] as const).flatMap((colour) => {
    const across = pairs(board, cells, colour, true);
    return across ?? pairs(board, cells, colour, false) ?? [];
  });
}

function pairs(board: Board, cells: string, colour: 'X' | 'O', across: boolean): Piece[] | null {
  const step = across ? 1 : board.width;
  const [outer, inner] = across ? [board.height, board.width] : [board.width, board.height];
  const found: Piece[] = [];
  for (let line = 0; line < outer; line += 1) {
    for (let place = 0; place < inner; place += 1) {
      const first = across ? line * board.width + place : place * board.width + line;
      if (cells[first] !== colour) continue;
      if (place + 1 >= inner || cells[first + step] !== colour) return null;
      found.push({ colour, first, second: first + step });
      place += 1;
    }
  }
  return found;
}
