// What rating lists share: the scale of drawn intervals, and probabilities in words.
import type { Schemas } from '../lib/api';
import { decimal } from '../plot/numbers';

/** From which to which Elo a drawing goes, and the place of Elo 0 in per cent if it is within. */
export interface Scale {
  low: number;
  high: number;
  zero: number | null;
}

export function scaleOf(players: Schemas['RatedPlayer'][]): Scale {
  const intervals = players.flatMap((player) => (player.interval ? [player.interval] : []));
  const low = Math.min(...intervals.map((interval) => interval.low), Infinity);
  const high = Math.max(...intervals.map((interval) => interval.high), -Infinity);
  const scale: Scale = { low, high, zero: null };
  if (low <= 0 && high >= 0) scale.zero = onScale(scale, 0);
  return scale;
}

/** The place of a rating in per cent of the width. */
export function onScale({ low, high }: Scale, elo: number): number {
  return high > low ? (100 * (elo - low)) / (high - low) : 50;
}

/** A probability in per cent, never rounded to certainty. */
export function chance(probability: number): string {
  if (probability >= 0.9995) return '> 99.9';
  if (probability < 0.0005) return '< 0.1';
  return decimal(100 * probability, 1);
}
