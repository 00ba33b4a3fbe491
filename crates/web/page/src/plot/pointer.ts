// Which point the pointer is at.
import type uPlot from 'uplot';

import { type Figure, type Point, isShown } from './figure';
import { place } from './marks';

export interface Found {
  series: number;
  point: Point;
  /** Within the drawing area, in CSS pixels. */
  left: number;
  top: number;
}

/** So far from a point, in CSS pixels, it is still meant. */
const NEAR = 48;

/** The nearest point. Beside each other, what was measured is preferred. */
export function nearest(u: uPlot, figure: Figure, left: number, top: number): Found | null {
  let found: Found | null = null;
  let least = NEAR * NEAR;
  figure.series.forEach((series, number) => {
    for (const point of series.points) {
      if (!isShown(figure, point)) continue;
      const at = place(u, figure, number, point, false);
      const far = (at.left - left) ** 2 + (at.top - top) ** 2 + (series.look === 'published' ? 4 : 0);
      if (far < least) {
        least = far;
        found = { series: number, point, ...at };
      }
    }
  });
  return found;
}
