// Response curves as figures: the win rate over each parameter of a tuning.
import type { Schemas } from '../lib/api';
import type { Axis, Figure, Point, Series } from '../plot/figure';
import { type Ends, counted, decimal, rangeText } from '../plot/numbers';
import { Z_95 } from './figures';
import type { Candidate, Tuning } from './tunings';

type Parameter = Schemas['TunedParameter'];
type Response = Schemas['Response'];

/** The candidates with this share of the games of the one with most are drawn, as in the reports. */
const DRAWN = 0.25;
/** Series at one word are drawn this far from each other, in places. */
const ASIDE = 0.14;

/** A figure for each parameter; for two parameters also the curves of the first at values of the second. */
export function responseFigures(tuning: Tuning): Figure[] {
  const most = Math.max(...tuning.candidates.map((candidate) => candidate.games), 0);
  if (most === 0) return [];
  const drawn = tuning.candidates.filter((candidate) => candidate.games >= DRAWN * most && candidate.values.length > 0);
  const figures = tuning.parameters.map((parameter, index) => responseFigure(parameter, index, drawn));
  const [first, second] = tuning.parameters;
  if (first && second && tuning.cuts.length > 0) figures.push(cutFigure(first, second, tuning.cuts));
  const range = rateRange(figures);
  return figures.map((figure) => ({ ...figure, y: { ...figure.y, range } }));
}

function responseFigure(parameter: Parameter, index: number, drawn: Candidate[]): Figure {
  const aside = wordsOf(parameter) ? ASIDE / 2 : 0;
  const candidates = drawn.flatMap((candidate): Point[] => {
    const value = candidate.values[index] ?? '';
    const x = placeOf(parameter, value);
    if (x === null) return [];
    const { low, high } = wilson(candidate.rate, candidate.games);
    const note = [candidate.player, counted(candidate.games, 'game'), candidate.is_default ? 'default' : ''].filter(Boolean).join(', ');
    return [{ x: x + aside, y: 100 * candidate.rate, low: 100 * low, high: 100 * high, place: value, note }];
  });
  const model = curve(parameter, parameter.response, true).map((point) => ({ ...point, x: point.x - aside }));
  return {
    ...frame(parameter),
    title: parameter.name,
    series: [
      { name: 'model', look: wordsOf(parameter) ? 'points' : 'curve', colour: 0, points: model },
      { name: 'candidates', look: 'points', colour: 1, points: candidates },
    ],
  };
}

function cutFigure(first: Parameter, second: Parameter, cuts: Tuning['cuts']): Figure {
  const words = wordsOf(first);
  const series = cuts.map((cut, colour): Series => {
    const aside = words ? (colour - (cuts.length - 1) / 2) * ASIDE : 0;
    const points = curve(first, cut.response, false).map((point) => ({ ...point, x: point.x + aside }));
    return { name: `${second.name} = ${cut.value}`, look: words ? 'points' : 'curve', colour, points };
  });
  return { ...frame(first), title: `${first.name} at values of ${second.name}`, series };
}

function frame(parameter: Parameter): Pick<Figure, 'x' | 'y' | 'marks' | 'told'> {
  const x: Axis = { label: parameter.name, scale: parameter.is_logarithmic ? 'log' : 'linear' };
  const places = wordsOf(parameter);
  if (places) x.places = places;
  return {
    x,
    y: { label: 'won, %', scale: 'linear' },
    marks: 'lines',
    told: (value: number, ends?: Ends) => (ends === undefined ? `${decimal(value, 1)} %` : `${decimal(value, 1)} (${rangeText(ends)}) %`),
  };
}

function curve(parameter: Parameter, response: Response[], hasBand: boolean): Point[] {
  return response.flatMap(({ value, expected, interval }): Point[] => {
    const x = placeOf(parameter, value);
    if (x === null) return [];
    const ends = hasBand ? { low: 100 * interval.low, high: 100 * interval.high } : {};
    return [{ x, y: 100 * expected, place: value, ...ends }];
  });
}

/** Wilson's 95 % interval of a rate: a few games that were all won prove little. */
function wilson(rate: number, games: number): Ends {
  const spread = Z_95 ** 2 / games;
  const middle = (rate + spread / 2) / (1 + spread);
  const half = Math.sqrt(spread * (rate * (1 - rate) + spread / 4)) / (1 + spread);
  return { low: Math.max(middle - half, 0), high: Math.min(middle + half, 1) };
}

/** Words have places, numbers their values. */
function placeOf(parameter: Parameter, value: string): number | null {
  const place = wordsOf(parameter)?.indexOf(value) ?? Number(value);
  return place < 0 && wordsOf(parameter) ? null : Number.isFinite(place) ? place : null;
}

function wordsOf(parameter: Parameter): string[] | null {
  return parameter.range.includes('|') ? parameter.range.split('|') : null;
}

/** One range for all figures, so that they can be compared: whole tens around everything, with room for markers at 0
 *  and 100. */
function rateRange(figures: Figure[]): [number, number] {
  const all = figures.flatMap((figure) => figure.series.flatMap((series) => series.points.flatMap((point) => [point.low ?? point.y, point.high ?? point.y])));
  const [low, high] = [Math.min(...all), Math.max(...all)];
  return [10 * Math.floor(low / 10 + 1e-9) - 2, 10 * Math.ceil(high / 10 - 1e-9) + 2];
}
