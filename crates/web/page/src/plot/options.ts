// A figure as uPlot wants it.
import type uPlot from 'uplot';

import { readable } from './numbers';
import type { Colours } from './colours';
import { type Figure, xRange, yRange } from './figure';
import { draw } from './marks';

/** What may change while a plot stays: its figure, its colours, and who listens to the pointer. */
export interface Shown {
  figure: Figure;
  colours: Colours;
  pointed: (u: uPlot) => void;
}

/** The width of a number below the axis and the gap beside it. */
const NAME = 46;
const FONT = '12px system-ui, sans-serif';

/** Options of a new plot. They look at `shown` anew whenever something is drawn. */
export function options(shown: Shown, width: number, height: number): uPlot.Options {
  const { figure } = shown;
  const axis = (label: string, log: boolean): uPlot.Axis => ({
    label,
    labelSize: 18,
    labelGap: 0,
    labelFont: FONT,
    font: FONT,
    gap: 4,
    // On logarithmic axes uPlot leaves names out by its own rule; here all ticks are chosen to have room.
    filter: (_u, splits) => splits,
    stroke: () => shown.colours.quiet,
    grid: { stroke: () => shown.colours.line, width: 1 },
    ticks: { show: !log, stroke: () => shown.colours.line, width: 1, size: 4 },
  });
  const places = figure.x.places;
  return {
    width,
    height,
    legend: { show: false },
    padding: [8, 12, 0, 0],
    cursor: { drag: { x: false, y: false, setScale: false }, points: { show: false }, x: false, y: false },
    scales: {
      x: { time: false, ...scale(figure.x.scale, isDoubling(figure) ? 2 : 10), range: () => xRange(shown.figure) },
      y: { ...scale(figure.y.scale, 10), range: () => yRange(shown.figure) },
    },
    axes: [
      {
        ...axis(figure.x.label, figure.x.scale === 'log'),
        size: 24,
        ...(places ? { splits: () => thinned(places, width), values: (_u, all) => all.map((k) => places[k] ?? ''), grid: { show: false } } : {}),
        ...(figure.x.scale === 'log' ? { splits: () => logSplits(shown.figure, width), values: (_u, all) => all.map((x) => readable(x)) } : {}),
      },
      {
        ...axis(figure.y.label, figure.y.scale === 'log'),
        size: figure.y.scale === 'log' ? 52 : 44,
        ...(figure.y.scale === 'log' ? { splits: () => decades(yRange(shown.figure)) } : {}),
        values: (_u, all) => all.map((y) => (y === null ? '' : readable(y))),
      },
    ],
    series: [
      {},
      ...figure.series.map((series): uPlot.Series => ({
        label: series.name,
        stroke: () => shown.colours.series[series.colour % shown.colours.series.length] ?? shown.colours.ink,
        width: series.look === 'published' ? 1.5 : 2,
        ...(series.look === 'published' ? { dash: [5, 4] } : {}),
        points: { show: false },
        spanGaps: true,
        ...(figure.marks === 'bars' || series.look === 'points' ? { paths: () => null } : {}),
      })),
    ],
    hooks: {
      draw: [(u) => draw(u, shown.figure, shown.colours)],
      setCursor: [(u) => shown.pointed(u)],
    },
  };
}

function scale(kind: 'linear' | 'log', log: 2 | 10): uPlot.Scale {
  return kind === 'log' ? { distr: 3, log } : { distr: 1 };
}

function xs(figure: Figure): number[] {
  return [...new Set(figure.series.flatMap((series) => series.points.map((point) => point.x)))].sort((a, b) => a - b);
}

function isDoubling(figure: Figure): boolean {
  return figure.x.scale === 'log' && xs(figure).every((x) => Number.isInteger(Math.log2(x)));
}

/** Ticks of a logarithmic x axis: the places themselves, or round numbers if there are curves, whose places mean nothing.
 *  Ticks too near to the last one are left out. */
function logSplits(figure: Figure, width: number): number[] {
  const [low, high] = xRange(figure);
  const ticks = figure.series.some((series) => series.look === 'curve') ? decades([low, high]) : xs(figure);
  const room = NAME / Math.max(width - 80, NAME);
  const kept: number[] = [];
  for (const x of ticks) {
    const last = kept.at(-1);
    if (last === undefined || Math.log(x / last) > room * Math.log(high / low)) kept.push(x);
  }
  return kept;
}

/** Ticks of a logarithmic axis: powers of ten; between them 2 and 5 where there is room. */
function decades([low, high]: [number, number]): number[] {
  const span = Math.log10(high / low);
  const steps = span < 1.3 ? [1, 2, 3, 5] : span < 2.6 ? [1, 2, 5] : span < 4 ? [1, 3] : [1];
  const all: number[] = [];
  for (let power = Math.floor(Math.log10(low)); power <= Math.ceil(Math.log10(high)); power += 1) {
    for (const step of steps) {
      const value = step * 10 ** power;
      if (value >= low && value <= high) all.push(value);
    }
  }
  return all;
}

/** Which places get a name: all that have room beside each other. */
function thinned(places: string[], width: number): number[] {
  const longest = Math.max(...places.map((place) => place.length), 1);
  const room = Math.max(1, Math.floor((width - 70) / (longest * 7 + 8)));
  const step = Math.ceil(places.length / room);
  return places.flatMap((_, k) => (k % step === 0 ? [k] : []));
}
