// What a plot shows, as data: the same numbers are drawn, told at the pointer and listed as a table.

import type { Ends } from './numbers';

/** A number with its doubt, and where it stands. */
export interface Point {
  x: number;
  y: number;
  /** The ends of the 95 % interval. */
  low?: number;
  high?: number;
  /** Where it stands in words, such as a column's name; else the number x. */
  place?: string;
  /** What was published for the same thing. */
  published?: number;
  /** More to say of it at the pointer. */
  note?: string;
}

export interface Series {
  name: string;
  /** Measured is solid and filled, published is dashed and hollow. A curve is a line whose intervals are a band; points
   *  are not joined. */
  look: 'measured' | 'published' | 'curve' | 'points';
  /** Which colour and marker: what is measured and what is published of one thing have the same. */
  colour: number;
  points: Point[];
}

export interface Axis {
  label: string;
  scale: 'linear' | 'log';
  /** Names in the place of numbers: place k is the k-th. */
  places?: string[];
  /** From where to where; found from the points without. */
  range?: [number, number];
  /** A line to compare with, such as 50 %. */
  reference?: number;
}

export interface Figure {
  title: string;
  x: Axis;
  y: Axis;
  /** Lines join the points of a series; bars stand in groups, one a series. */
  marks: 'lines' | 'bars';
  series: Series[];
  /** How the y of a point is told, with its interval where it has one. */
  told: (value: number, ends?: Ends) => string;
}

/** The ends of a point's interval, where it has one. */
export function endsOf({ low, high }: Point): Ends | undefined {
  return low === undefined || high === undefined ? undefined : { low, high };
}

/** Whether a point has a place on the axes: on a logarithmic one, zero has none. */
export function isShown(figure: Figure, point: Point): boolean {
  return Number.isFinite(point.y) && (figure.y.scale === 'linear' || point.y > 0) && (figure.x.scale === 'linear' || point.x > 0);
}

/** How many measured points have no place on the axes. */
export function hidden(figure: Figure): number {
  return figure.series.flatMap((series) => series.points).filter((point) => !isShown(figure, point)).length;
}

/** How much of the place between two groups their bars take. */
const GROUP = 0.8;

/** Where the bar of a series stands in its group, and how wide it is, in places. */
export function bar(figure: Figure, series: number): { aside: number; width: number } {
  const width = GROUP / Math.max(figure.series.length, 1);
  return { aside: (series - (figure.series.length - 1) / 2) * width, width };
}

/** Where on the x axis a point of a series is drawn. */
export function across(figure: Figure, series: number, point: Point): number {
  return figure.marks === 'bars' ? point.x + bar(figure, series).aside : point.x;
}

/** The data as uPlot has them: all places, then of each series its value at every place or nothing. */
export function aligned(figure: Figure): [number[], ...(number | null)[][]] {
  const xs = new Set<number>();
  const maps = figure.series.map((series, number) => {
    const values = new Map<number, number>();
    for (const point of series.points) {
      if (!isShown(figure, point)) continue;
      const x = across(figure, number, point);
      xs.add(x);
      values.set(x, point.y);
    }
    return values;
  });
  const sorted = [...xs].sort((a, b) => a - b);
  return [sorted, ...maps.map((values) => sorted.map((x) => values.get(x) ?? null))];
}

/** The range of an axis with some room at both ends. */
export function xRange(figure: Figure): [number, number] {
  if (figure.x.range) return figure.x.range;
  if (figure.x.places) return [-0.6, Math.max(figure.x.places.length, 1) - 0.4];
  const all = figure.series.flatMap((series) => series.points.filter((point) => isShown(figure, point)).map((point) => point.x));
  return padded(all, figure.x.scale, 0.06);
}

export function yRange(figure: Figure): [number, number] {
  if (figure.y.range) return figure.y.range;
  const points = figure.series.flatMap((series) => series.points.filter((point) => isShown(figure, point)));
  const all = points.map((point) => point.y);
  const ends = points.flatMap((point) => [point.low ?? point.y, point.high ?? point.y]);
  if (figure.y.scale === 'linear') {
    return figure.marks === 'bars' ? [0, 1.06 * Math.max(...all, ...ends, 1e-9)] : padded([...all, ...ends], 'linear', 0.06);
  }
  // An interval that reaches to zero would have no end on a logarithmic axis: it goes as far as the plot.
  const least = Math.min(...all) / 3;
  return padded([...all, ...ends.filter((end) => end >= least)], 'log', 0.06);
}

function padded(all: number[], scale: Axis['scale'], room: number): [number, number] {
  if (all.length === 0) return scale === 'log' ? [1, 10] : [0, 1];
  const [low, high] = [Math.min(...all), Math.max(...all)];
  if (scale === 'log') {
    const factor = high > low ? (high / low) ** room : 2;
    return [low / factor, high * factor];
  }
  const more = high > low ? (high - low) * room : Math.max(Math.abs(high), 1) * 0.1;
  return [low - more, high + more];
}

/** What decides how a plot is built, apart from its numbers: where it stays the same the plot is kept. */
export function build(figure: Figure): string {
  const series = figure.series.map((one) => [one.name, one.look, one.colour]);
  return JSON.stringify([figure.marks, figure.x.label, figure.x.scale, figure.x.places, figure.y.label, figure.y.scale, series]);
}
