/** What a search thinks of a move, to be drawn on the board. */
export interface Mark {
  /** The move: a cell, or two of them. */
  cell: string;
  /** Its share of the samples, the greatest 1: the area of the disc. */
  size: number;
  /** The mean reward, from 0 to 1: its colour. */
  mean: number | null;
  /** Whether it is out of the running. */
  faded: boolean;
  /** A few letters inside the disc. */
  label: string;
}

/** The colour of a mean: from low over the middle to high. */
export function colourOf(mean: number | null): string {
  if (mean === null) return 'var(--mean-mid)';
  // Most means lie near the middle, where differences matter most: the root spreads them.
  const share = Math.round(100 * Math.sqrt(Math.abs(Math.min(Math.max(mean, 0), 1) - 0.5) * 2));
  return `color-mix(in oklab, var(${mean < 0.5 ? '--mean-low' : '--mean-high'}) ${share}%, var(--mean-mid))`;
}
