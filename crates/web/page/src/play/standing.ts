// Whose turn it is, or how the game ended, in a sentence that is read aloud whenever it changes.
import { named } from '../board/answer';
import type { Game } from '../lib/api';
import type { Table } from './game.svelte';

export function standing(table: Table): string {
  const { game } = table;
  if (!game) return '';
  // The move is told when the show is over, and not again when somebody looks at the show once more.
  if (table.thinking && table.search?.playing && table.search.played) return `${named(table.search.position.to_move)} thinks…`;
  const side = named(game.to_move);
  if (table.covered) return `${lastCall(game)}Hand the screen to ${side}.`;
  if (game.outcome) return `${lastMove(table, game)}${game.outcome.text}.`;
  if (table.turn) return `${lastMove(table, game)}${side} to move${table.persons.length === 1 ? ': your turn' : ''}.`;
  if (table.paused && !table.thinking) return `${lastMove(table, game)}${side} is to move; the game is paused.`;
  return table.error && !table.thinking ? `${side} is to move.` : `${side} thinks…`;
}

/** What a program has just played; nothing where a person did, who knows it. */
function lastMove(table: Table, game: Game): string {
  if (game.ply === 0 || game.outcome?.reason === 'resigned') return '';
  const side = game.to_move === 'black' ? 'white' : 'black';
  if (table.persons.includes(side)) return '';
  if (game.hidden && game.seen_by !== null) return lastCall(game);
  const move = game.moves.at(-1) ?? '-';
  if (move === '-') return `${named(side)} has moved. `;
  return move === 'pass' ? `${named(side)} passes. ` : `${named(side)} plays ${move}. `;
}

/** What the referee of a phantom game has said last of the other side's move: it says more than that there was one. */
function lastCall(game: Game): string {
  const side = named(game.to_move === 'black' ? 'white' : 'black');
  const call = game.calls.findLast((one) => one.startsWith(side));
  return call ? `${call} ` : '';
}
