// Markers, intervals and bars, drawn on uPlot's canvas: it has lines and axes of its own, but not these.
import type uPlot from 'uplot';

import { type Colours, type Marker, marker } from './colours';
import { type Figure, type Point, across, bar, isShown } from './figure';

/** The outline of a marker around a place, for a canvas and, as text, for SVG. */
export function outline(kind: Marker, x: number, y: number, r: number): string {
  const to = (...points: [number, number][]): string => points.map(([dx, dy], n) => `${n === 0 ? 'M' : 'L'}${x + dx * r} ${y + dy * r}`).join('');
  switch (kind) {
    case 'square':
      return to([-0.9, -0.9], [0.9, -0.9], [0.9, 0.9], [-0.9, 0.9]) + 'Z';
    case 'triangle':
      return to([0, -1.15], [1.05, 0.8], [-1.05, 0.8]) + 'Z';
    case 'turned':
      return to([0, 1.15], [1.05, -0.8], [-1.05, -0.8]) + 'Z';
    case 'diamond':
      return to([0, -1.3], [1.3, 0], [0, 1.3], [-1.3, 0]) + 'Z';
    case 'cross':
      return to([-1, -1], [1, 1]) + to([-1, 1], [1, -1]);
    case 'plus':
      return to([-1.2, 0], [1.2, 0]) + to([0, -1.2], [0, 1.2]);
    default:
      return `M${x - r} ${y}A${r} ${r} 0 1 1 ${x + r} ${y}A${r} ${r} 0 1 1 ${x - r} ${y}Z`;
  }
}

/** Whether a marker is made of strokes alone. */
export function isOpen(kind: Marker): boolean {
  return kind === 'cross' || kind === 'plus' || kind === 'ring';
}

/** Draws everything that uPlot does not. */
export function draw(u: uPlot, figure: Figure, colours: Colours): void {
  const { ctx, bbox } = u;
  ctx.save();
  ctx.beginPath();
  ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
  ctx.clip();
  // The dashes of the line that uPlot drew last are not ours.
  ctx.setLineDash([]);
  if (figure.y.reference !== undefined) reference(u, figure.y.reference, colours);
  const order = figure.series.map((series, number) => ({ series, number, above: series.look === 'measured' || series.look === 'points' }));
  // What was published, and bands, lie below what was measured.
  for (const { series, number } of order.sort((a, b) => Number(a.above) - Number(b.above) || a.number - b.number)) {
    const colour = colours.series[series.colour % colours.series.length] ?? colours.ink;
    if (series.look === 'curve') {
      band(u, series.points, colour);
      curveMarks(u, figure, number, colour, colours.card);
      continue;
    }
    for (const point of series.points) {
      if (!isShown(figure, point)) continue;
      if (figure.marks === 'bars') drawBar(u, figure, number, point, colour);
      if (point.low !== undefined && point.high !== undefined) interval(u, figure, number, point, colour);
      mark(u, figure, number, point, colour, colours.card);
    }
  }
  ctx.restore();
}

/** Where a point lies on the canvas, in its pixels. */
export function place(u: uPlot, figure: Figure, series: number, point: Point, canvas: boolean): { left: number; top: number } {
  return { left: u.valToPos(across(figure, series, point), 'x', canvas), top: u.valToPos(point.y, 'y', canvas) };
}

/** The intervals of a curve, as an area. */
function band(u: uPlot, points: Point[], colour: string): void {
  const { ctx } = u;
  const on = points.filter((point) => point.low !== undefined && point.high !== undefined);
  const corner = (point: Point, y: number): [number, number] => [u.valToPos(point.x, 'x', true), u.valToPos(y, 'y', true)];
  const corners = [...on.map((point) => corner(point, point.high ?? point.y)), ...on.reverse().map((point) => corner(point, point.low ?? point.y))];
  ctx.beginPath();
  corners.forEach(([x, y]) => ctx.lineTo(x, y));
  ctx.closePath();
  ctx.globalAlpha = 0.16;
  ctx.fillStyle = colour;
  ctx.fill();
  ctx.globalAlpha = 1;
}

/** Markers on several curves, so that not only colours tell them apart: a few of each, at different places. */
function curveMarks(u: uPlot, figure: Figure, number: number, colour: string, card: string): void {
  const curves = figure.series.filter((series) => series.look === 'curve').length;
  const step = Math.max(curves, 4);
  if (curves < 2) return;
  figure.series[number]?.points.forEach((point, k) => {
    if (k % step === number % step && isShown(figure, point)) mark(u, figure, number, point, colour, card);
  });
}

function reference(u: uPlot, value: number, colours: Colours): void {
  const { ctx, bbox } = u;
  const y = u.valToPos(value, 'y', true);
  ctx.strokeStyle = colours.quiet;
  ctx.lineWidth = devicePixelRatio;
  ctx.setLineDash([2 * devicePixelRatio, 4 * devicePixelRatio]);
  ctx.beginPath();
  ctx.moveTo(bbox.left, y);
  ctx.lineTo(bbox.left + bbox.width, y);
  ctx.stroke();
  ctx.setLineDash([]);
}

function drawBar(u: uPlot, figure: Figure, series: number, point: Point, colour: string): void {
  const { aside, width } = bar(figure, series);
  const left = u.valToPos(point.x + aside - 0.46 * width, 'x', true);
  const right = u.valToPos(point.x + aside + 0.46 * width, 'x', true);
  const top = u.valToPos(point.y, 'y', true);
  u.ctx.globalAlpha = 0.55;
  u.ctx.fillStyle = colour;
  u.ctx.fillRect(left, top, right - left, u.bbox.top + u.bbox.height - top);
  u.ctx.globalAlpha = 1;
}

function interval(u: uPlot, figure: Figure, series: number, point: Point, colour: string): void {
  const { ctx, bbox } = u;
  const { left } = place(u, figure, series, point, true);
  const bottom = bbox.top + bbox.height;
  const end = (value: number): number => (figure.y.scale === 'log' && value <= 0 ? bottom : u.valToPos(value, 'y', true));
  const [low, high] = [end(point.low ?? point.y), end(point.high ?? point.y)];
  const cap = 3.5 * devicePixelRatio;
  ctx.strokeStyle = colour;
  ctx.lineWidth = 1.25 * devicePixelRatio;
  ctx.beginPath();
  ctx.moveTo(left, low);
  ctx.lineTo(left, high);
  for (const y of [low, high]) {
    ctx.moveTo(left - cap, y);
    ctx.lineTo(left + cap, y);
  }
  ctx.stroke();
}

function mark(u: uPlot, figure: Figure, series: number, point: Point, colour: string, card: string): void {
  const { ctx } = u;
  const { left, top } = place(u, figure, series, point, true);
  const one = figure.series[series];
  const kind = marker(one?.colour ?? 0);
  const published = one?.look === 'published';
  const path = new Path2D(outline(kind, left, top, (published ? 4.5 : 3.5) * devicePixelRatio));
  ctx.lineWidth = 1.5 * devicePixelRatio;
  ctx.strokeStyle = colour;
  ctx.fillStyle = published || isOpen(kind) ? card : colour;
  ctx.fill(path);
  ctx.stroke(path);
}
