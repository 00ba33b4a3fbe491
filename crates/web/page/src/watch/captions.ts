// A search in plain words, for somebody who has never heard of halving.
import type { Round, Step, Track } from './track';

/** Whether a network values the positions, so that no games are played out. */
export const hasNetwork = (track: Track): boolean => /\+net\b/.test(track.begun?.player ?? '');

/** "20 trial games", or what a sample is to a player with a network: "20 evaluations". */
function games(track: Track, count: number): string {
  const [one, many] = hasNetwork(track) ? ['evaluation', 'evaluations'] : ['trial game', 'trial games'];
  return count === 1 ? `one ${one}` : `${count} ${many}`;
}

/** Short, above the stepper: "Round 2 of 5: 24 moves, 20 samples each, 12 go on". */
export function headline(track: Track, step: Step): string {
  if (step.kind === 'round' && step.round !== null) {
    const round = track.rounds[step.round];
    const of = track.decided ? ` of ${track.rounds.length}` : '';
    if (!round) return '';
    const on = round.kept === 1 ? '1 goes on' : `${round.kept} go on`;
    const each = round.samples_each === 0 ? 'no samples' : `${round.samples_each} ${round.samples_each === 1 ? 'sample' : 'samples'} each`;
    return `Round ${step.round + 1}${of}: ${tried(round)} moves, ${each}, ${on}`;
  }
  if (step.kind === 'result') return track.decided?.choice === 'resign' ? 'Result: it resigns' : `Result: ${track.decided?.move ?? 'a hidden move'}`;
  if (step.kind === 'live') return track.rounds.length > 0 ? `Round ${track.rounds.length + 1} goes on` : 'It searches';
  return `After ${step.spent} samples`;
}

/** A sentence or two that say what happens in the step. */
export function caption(track: Track, step: Step): string {
  if (step.kind === 'round' && step.round !== null) return ofRound(track, step.round);
  if (step.kind === 'result') return ofResult(track);
  if (step.kind === 'live' && track.begun === null) return 'It waits for its turn.';
  if (track.rounds.length > 0) return `${left(track)} moves are left, and get more ${hasNetwork(track) ? 'evaluations' : 'trial games'}.`;
  return 'It goes back most often to the moves that look best, and now and then tries the others.';
}

/** How many moves a round tried: moves that come back are ranked, not tried. */
export function tried(round: Round): number {
  return round.ranking.length - (round.comebacks ?? 0);
}

function left(track: Track): number {
  return track.rounds.at(-1)?.kept ?? track.begun?.moves.length ?? 0;
}

function ofRound(track: Track, index: number): string {
  const round = track.rounds[index];
  if (!round) return '';
  const arms = tried(round);
  const comebacks = round.comebacks ?? 0;
  const out = round.ranking.length - round.kept;
  const all = track.begun?.moves.length ?? arms;
  const again = track.passes > 1 && index === 0 ? 'Time is left, so it begins again and keeps what it knows. ' : '';
  // More moves than samples: nobody is tried, and who goes on is not the better half.
  if (round.samples_each === 0) {
    const on = round.kept === 1 ? 'The one that is left is the choice.' : `${round.kept} go on.`;
    return `${again}There are fewer samples than moves: ${out === 1 ? 'one move is' : `${out} moves are`} dropped without a look. ${on}`;
  }
  const before = sampled(track, index);
  const who = before ? `The ${arms} moves that are left get ${games(track, round.samples_each)} more each.` : `${all === arms ? 'All' : index > 0 ? 'The' : 'The best'} ${arms} moves ${index > 0 ? 'that are left ' : ''}get ${games(track, round.samples_each)} each.`;
  const score = round.calibration ? learnt(track, round.calibration) : round.ranking.some((one) => one.bonus !== 0) ? scored(track) : '';
  if (round.kept === 1) return `${again}${who}${score} The best of them is the choice.`;
  const back = comebacks > 0 ? ` ${comebacks === 1 ? 'One of them was' : `${comebacks} of them were`} cut before and ${comebacks === 1 ? 'comes' : 'come'} back.` : '';
  return `${again}${who}${score} The better ${round.kept} go on; ${out === 1 ? 'one is' : `${out} are`} cut.${back}`;
}

function scored(track: Track): string {
  const [wins, samples] = hasNetwork(track) ? ['what the network expects of them', 'evaluations'] : ['how many they win', 'games'];
  return ` They are ranked by ${wins}, and by a score that helps while ${samples} are few.`;
}

/** What a calibrated search has learnt about its scores. */
function learnt(track: Track, { correlation, slope, residual_variance, weight }: NonNullable<Round['calibration']>): string {
  const share = Math.round(100 * correlation);
  // The scores of a network differ by much more than wins do, so their weight is often below one.
  const rounded = weight < 10 ? Number(weight.toPrecision(2)) : Math.round(weight);
  const numbers = `slope ${slope.toFixed(2)}, τ² ${residual_variance.toPrecision(2)}, like t' = ${rounded}`;
  return ` So far scores and ${hasNetwork(track) ? 'values' : 'wins'} agree by ${share} % (${numbers}); moves are ranked by how much better than the best they may be.`;
}

/** Whether moves had samples before a round. */
export function sampled(track: Track, index: number): boolean {
  return track.rounds.slice(0, index).some((round) => round.samples_each > 0);
}

function ofResult(track: Track): string {
  const decided = track.decided;
  if (!decided) return '';
  const report = decided.report;
  const best = report?.arms[report.chosen ?? -1];
  const won = best && best.mean !== null ? `${best.move} ${worth(track, best.mean, best.visits)}. ` : '';
  const sentences = [`${won}The whole search took ${report?.spent ?? 0} samples and ${seconds(decided.seconds)}.`];
  // That it goes by its search is what everybody expects.
  if (decided.reason && decided.reason !== 'the search says so') sentences.push(sentence(decided.reason));
  if (report?.stop) sentences.push(sentence(report.stop.text));
  const isSaid = report?.stop && ['sure', 'proved', 'one_move'].includes(report.stop.reason);
  // Rounded down: it is never surer than it says.
  if (report && report.confidence !== null && report.confidence >= 0.5 && !isSaid) sentences.push(`By its samples, its choice is right with a chance of at least ${Math.floor(report.confidence * 100)} %.`);
  if (decided.refused.length > 0) sentences.push(`The referee refused ${decided.refused.join(', ')} before.`);
  return sentences.join(' ');
}

function worth(track: Track, mean: number, visits: number): string {
  return hasNetwork(track) ? `is expected to win ${percent(mean)}, by ${games(track, visits)}` : `won ${percent(mean)} of its ${games(track, visits)}`;
}

function sentence(text: string): string {
  const whole = text[0] ? text[0].toUpperCase() + text.slice(1) : text;
  return /[.!?]$/.test(whole) ? whole : `${whole}.`;
}

export function seconds(time: number): string {
  if (time < 0.001) return 'less than a millisecond';
  return time < 1 ? `${Math.round(time * 1000)} ms` : `${time.toFixed(1)} s`;
}

/** What moves are ranked by: a share, unless a score is part of it. */
export const ranked = (q: number | null, scored: boolean): string => (scored && q !== null ? q.toFixed(3) : percent(q));

export const percent = (value: number | null): string => (value === null ? '–' : `${(value * 100).toFixed(1)} %`);
