// Specs as the service understands them, put together from what is chosen in a form.
import type { Catalog, Schemas } from '../lib/api';

export type GameInfo = Schemas['GameInfo'];
export type PlayerInfo = Schemas['PlayerInfo'];

/** hex:7, nohex:7, or misere(go:9) where the twin has no name of its own. */
export function gameSpec(info: GameInfo, size: string, misere: boolean): string {
  if (!misere || info.misere === '') return `${info.name}:${size}`;
  return info.misere.includes('(') ? `misere(${info.name}:${size})` : `${info.misere}:${size}`;
}

export const PERSON = 'a person';
export const TYPED = 'a typed spec';

/** Who is chosen for a side. */
export interface Choice {
  /** PERSON, TYPED, or the spec of a player. */
  who: string;
  budget: string;
  /** The confidence at which it stops before its budget is spent, such as 95%; empty for never. */
  until: string;
  typed: string;
}

/** What is wrong with a choice, in a sentence; the service judges specs that were typed. */
export function seatProblem(choice: Choice): string {
  return choice.who === TYPED && choice.typed.trim() === '' ? "Type a player's spec, such as flat(sh)@500, or choose a person." : '';
}

/** The player's spec with its budget; nothing for a person. */
export function seatSpec(players: PlayerInfo[], choice: Choice): string | null {
  if (choice.who === PERSON) return null;
  if (choice.who === TYPED) return choice.typed.trim();
  const info = players.find((one) => one.spec === choice.who);
  const until = choice.until ? `+until(${choice.until},within=0.02)` : '';
  return info && !info.budget ? choice.who : `${choice.who}${until}@${choice.budget}`;
}

/** Whether the enemy's pieces are hidden in the game of a spec. */
export function isHidden(catalog: Catalog, spec: string): boolean {
  const words: string[] = spec.toLowerCase().match(/[a-z][a-z-]*/g) ?? [];
  return catalog.games.some((one) => one.hidden && words.includes(one.name));
}

/** Whether a player plays the game of a spec. Players with networks play some games and sizes only, with any options. */
const plays = (player: PlayerInfo, spec: string): boolean =>
  !player.games || player.games.includes(spec.toLowerCase().replace(/\(.*$/, '').trim());

/** The players of a game, those that halve first: they are what there is to watch. Open games have all that play them. */
export function playersFor(catalog: Catalog, hidden: boolean, spec: string): { halving: PlayerInfo[]; others: PlayerInfo[] } {
  const fit = catalog.players.filter((one) => (!hidden || one.for === 'all') && plays(one, spec));
  return { halving: fit.filter((one) => one.rounds), others: fit.filter((one) => !one.rounds) };
}

/** The confidences at which a player may stop. */
export const LEVELS = ['80%', '90%', '95%', '99%'];

/** The budget of the list that is nearest to a number of samples. */
export function nearestBudget(budgets: string[], samples: number): string {
  const counted = budgets.filter((one) => /^\d+$/.test(one));
  const far = (one: string) => Math.abs(Math.log(Number(one) / samples));
  return counted.sort((a, b) => far(a) - far(b))[0] ?? budgets[0] ?? String(samples);
}

/** A budget for people: a bare number counts samples. */
export const budgetName = (budget: string): string => (/^\d+$/.test(budget) ? `${budget} samples` : budget);

/** Whether a game has an SGF file: SGF has numbers for Go and Hex, hidden or not, and for no other game here. */
export const hasSgf = (spec: string): boolean => /^(phantom-)?go\b|^(dark-)?hex\b/.test(spec);
