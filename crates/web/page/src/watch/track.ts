// One search as it was told, and what is to be seen of it at each of its steps. Pure functions over the
// service's events; nothing here knows of the page.
import type { Schemas } from '../lib/api';

export type Begun = Schemas['Begun'];
export type Progress = Schemas['ProgressEvent'];
/** A move's place in a round, with its number among the moves of 'begun'. */
export type Ranked = Schemas['RoundEvent']['ranking'][number] & { arm: number };
/** A round, and the samples of each arm when it ended, where they were told. */
export type Round = Omit<Schemas['RoundEvent'], 'ranking'> & { ranking: Ranked[]; visits: number[] | null };
export type Decided = Schemas['Decided'];
type Report = Schemas['SearchReport'];

/** Everything that was told of one search. */
export interface Track {
  begun: Begun | null;
  rounds: Round[];
  /** How often it began halving: where time is left it begins again, and these are the rounds of the last time. */
  passes: number;
  /** A few of the 'progress' events, spread over the search. */
  snapshots: Progress[];
  /** The last one, whether it is kept or not. */
  latest: Progress | null;
  decided: Decided | null;
}

export const nothing = (): Track => ({ begun: null, rounds: [], passes: 0, snapshots: [], latest: null, decided: null });

const MOST_SNAPSHOTS = 40;

/** Keeps a snapshot. Where there are too many, every other one goes: those that stay are still spread evenly. */
export function keep(snapshots: Progress[], snapshot: Progress): Progress[] {
  const gap = snapshots.length < 2 ? 0 : (snapshots[1]?.spent ?? 0) - (snapshots[0]?.spent ?? 0);
  const before = snapshots.at(-1);
  // Once some have been dropped the gap is wider, and new ones keep to it.
  if (before && snapshots.length > MOST_SNAPSHOTS / 2 && snapshot.spent - before.spent < gap) return snapshots;
  const all = [...snapshots, snapshot];
  return all.length > MOST_SNAPSHOTS ? all.filter((_, index) => index % 2 === 0) : all;
}

/** An arm at one step. */
export interface Arm {
  arm: number;
  move: string;
  visits: number;
  mean: number | null;
  bonus: number;
  /** What it is ranked by. */
  q: number | null;
  /** The round in which it was cut, from 0; -1 where it never took part; null where it is still in. */
  cut: number | null;
}

export interface Step {
  kind: 'round' | 'snapshot' | 'live' | 'result';
  /** Which round. */
  round: number | null;
  spent: number;
  /** The best first. */
  arms: Arm[];
  /** How many go on, of a round. */
  kept: number | null;
  best: number | null;
}

/** A track that has heard of one more round. */
export function withRound(track: Track, round: Schemas['RoundEvent']): Track {
  // What was told just before the round includes it.
  const told = track.latest && track.latest.spent >= round.spent && track.latest.visits.length > 0 ? track.latest.visits : null;
  const again = round.index === 0;
  const arms = new Map(track.begun?.moves.map((move, arm) => [move, arm]));
  const ranking = round.ranking.map((one) => ({ ...one, arm: arms.get(one.move) ?? -1 }));
  return { ...track, rounds: [...(again ? [] : track.rounds), { ...round, ranking, visits: told }], passes: track.passes + Number(again) };
}

/** How many steps there are: the rounds, or else the snapshots; and the last one, how it stands now. */
export function steps(track: Track): number {
  return (track.rounds.length > 0 ? track.rounds.length : track.snapshots.length) + 1;
}

export function step(track: Track, index: number): Step {
  const round = track.rounds[index];
  if (round) return atRound(track, index, round);
  const snapshot = track.snapshots[index];
  if (track.rounds.length === 0 && snapshot) return atSnapshot(track, snapshot, 'snapshot');
  if (track.decided?.report && track.decided.report.arms.length > 0) return atResult(track, track.decided.report);
  if (track.latest) return atSnapshot(track, track.latest, track.decided ? 'result' : 'live');
  return { kind: 'live', round: null, spent: 0, arms: [], kept: null, best: null };
}

const nameOf = (track: Track, arm: number): string => track.begun?.moves[arm] ?? '?';

/** In which round each arm was cut, up to a round and including it. */
export function cuts(rounds: Round[], upTo: number): Map<number, number> {
  const found = new Map<number, number>();
  for (const round of rounds.slice(0, upTo + 1)) {
    for (const { arm } of round.ranking.slice(round.kept)) found.set(arm, round.index);
    // Whoever goes on is in, though cut before: calibrated searches let moves come back.
    for (const { arm } of round.ranking.slice(0, round.kept)) found.delete(arm);
  }
  return found;
}

function cutOf(track: Track, found: Map<number, number>, arm: number): number | null {
  const first = track.rounds[0];
  if (first && !first.ranking.some((one) => one.arm === arm)) return -1;
  return found.get(arm) ?? null;
}

function atRound(track: Track, index: number, round: Round): Step {
  const arms: Arm[] = [];
  const found = cuts(track.rounds, index);
  const seen = new Set<number>();
  // This round's ranking, then those who left in the round before it, and so on.
  for (let earlier = index; earlier >= 0; earlier -= 1) {
    for (const entry of track.rounds[earlier]?.ranking ?? []) {
      if (seen.has(entry.arm)) continue;
      seen.add(entry.arm);
      const visits = round.visits?.[entry.arm] ?? track.rounds.slice(0, earlier + 1).reduce((sum, one) => sum + one.samples_each, 0);
      // What was never sampled has won nothing and lost nothing.
      const none = visits === 0;
      const won = { mean: none ? null : entry.mean, q: none && entry.bonus === 0 ? null : entry.q };
      arms.push({ ...entry, ...won, visits, cut: found.get(entry.arm) ?? null });
    }
  }
  track.begun?.moves.forEach((move, arm) => {
    if (!seen.has(arm)) arms.push({ arm, move, visits: 0, mean: null, bonus: 0, q: null, cut: -1 });
  });
  return { kind: 'round', round: index, spent: round.spent, arms, kept: round.kept, best: arms[0]?.arm ?? null };
}

function atSnapshot(track: Track, snapshot: Progress, kind: Step['kind']): Step {
  const found = cuts(track.rounds, track.rounds.length);
  const arms = snapshot.visits.map((visits, arm): Arm => {
    const mean = snapshot.mean[arm] ?? null;
    return { arm, move: nameOf(track, arm), visits, mean, bonus: 0, q: mean, cut: cutOf(track, found, arm) };
  });
  return { kind, round: null, spent: snapshot.spent, arms: arms.sort(better(track)), kept: null, best: snapshot.chosen };
}

function atResult(track: Track, report: Report): Step {
  const found = cuts(track.rounds, track.rounds.length);
  const last = new Map(track.rounds.flatMap((round) => round.ranking.map((entry) => [entry.arm, entry] as const)));
  const arms = report.arms.map((one, arm): Arm => {
    const ranked = last.get(arm);
    const q = ranked ? ranked.q : one.mean;
    return { arm, move: one.move, visits: one.visits, mean: one.mean, bonus: 0, q, cut: cutOf(track, found, arm) };
  });
  const order = better(track);
  arms.sort((a, b) => Number(b.arm === report.chosen) - Number(a.arm === report.chosen) || order(a, b));
  // Values of different rounds are not comparable: the bonus of a score fades with samples. So in
  // the end arms keep the order in which they left, and are drawn by what they won.
  const won = arms.map((arm) => ({ ...arm, q: arm.mean }));
  return { kind: 'result', round: null, spent: report.spent, arms: won, kept: null, best: report.chosen };
}

/** Those still in come first, then who was cut last. Where nobody is cut, the most visited first: that is what a tree goes by. */
function better(track: Track): (a: Arm, b: Arm) => number {
  const lasted = (arm: Arm) => (arm.cut === null ? Infinity : arm.cut);
  const halves = track.rounds.length > 0;
  return (a, b) => {
    if (lasted(a) !== lasted(b)) return lasted(b) - lasted(a);
    const byQ = (b.q ?? -1) - (a.q ?? -1);
    return halves ? byQ || a.arm - b.arm : b.visits - a.visits || byQ;
  };
}

/** How the visits stood after about so many samples: of the search beside, which has no rounds at the same places. */
export function visitsAt(track: Track, spent: number): { spent: number; visits: number[] } | null {
  const report = track.decided?.report;
  const final = report && report.arms.length > 0 ? [{ spent: report.spent, visits: report.arms.map((arm) => arm.visits) }] : [];
  const kept = [...track.snapshots, ...(track.latest ? [track.latest] : []), ...final];
  let nearest: { spent: number; visits: number[] } | null = null;
  for (const one of kept) {
    if (!nearest || Math.abs(one.spent - spent) <= Math.abs(nearest.spent - spent)) nearest = one;
  }
  return nearest;
}
