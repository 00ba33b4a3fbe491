// The arms of a step as discs for the board.
import type { Mark } from '../board/types';
import type { Step } from './track';

export function marksOf(step: Step): Mark[] {
  const most = Math.max(1, ...step.arms.map((arm) => arm.visits));
  return step.arms
    .filter((arm) => arm.visits > 0)
    .map((arm) => ({
      cell: arm.move,
      size: arm.visits / most,
      mean: arm.mean,
      faded: arm.cut !== null,
      label: arm.mean === null ? '' : String(Math.round(arm.mean * 100)),
    }));
}
