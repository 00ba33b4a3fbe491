// Terms explained, as the reports of the command line explain them.

export const terms = {
  won: { name: 'Won, %', meaning: "The player's points in a hundred games: one for a win, half for a draw." },
  interval: {
    name: '± and the 95 % interval',
    meaning:
      'How well a number is known. Of a hundred such intervals about 95 hold the true number; ± is half the interval’s width; where it lies unevenly around the number, as near 0 and 100 %, its ends are given instead. 500 games at 50 % give ± 4.4 points, and four times as many games halve it.',
  },
  verdict: {
    name: 'Agrees, off, differs, too few',
    meaning:
      'The verdict on a published rate. It agrees where the difference may be chance (no difference lies in the 95 % interval of the difference), is off outside that, and differs outside the 99.9 % interval. Of rates that are truly the same one in twenty is off by chance, one in a thousand differs. With fewer than ten games it is too few.',
  },
  budget: {
    name: 'Other budget',
    meaning: 'The published rate was measured with another number of samples a move, as in quick runs: it is shown for orientation and not judged.',
  },
  chi: {
    name: 'χ² and p',
    meaning:
      'All differences of a table together. p is the probability of a sum as large as this one or larger, were all true rates the published ones: a small p says that something differs somewhere, even if no single cell stands out.',
  },
  elo: {
    name: 'Elo',
    meaning: 'The rate on another scale: 0 is even, 100 wins 64 %, 200 wins 76 %, 400 wins 91 %. It is infinite where one player won everything.',
  },
  nelo: {
    name: 'nElo',
    meaning: 'Normalised Elo: the distance from an even score in standard deviations of one game, times 347. It says how many games it takes to see the difference.',
  },
  los: {
    name: 'LOS',
    meaning: 'Likelihood of superiority: the probability that the player is the stronger one, given these results and no opinion beforehand.',
  },
  pairs: {
    name: 'Pairs',
    meaning: 'Games 0 and 1, 2 and 3 and so on have one opening with the colours exchanged. They are counted by the player’s points: 0, ½, 1, 1½ and 2.',
  },
  distinct: {
    name: 'Distinct games',
    meaning: 'How many games differ in their moves. Where it is far below the number of games, the same games were played again and again, and intervals are narrower than they ought to be.',
  },
  regret: {
    name: 'Simple regret',
    meaning: 'The value of the best arm less that of the arm which a policy recommends after its samples, on average over many runs. Only the last choice counts, not what was paid on the way.',
  },
  wrong: { name: 'Wrong', meaning: 'How often an arm is recommended that is not the best.' },
  regretVerdict: {
    name: 'Agrees, differs, too few',
    meaning:
      'A simple regret agrees with the published one where it is within four standard errors of the difference, or within 5 %. Where fewer than five runs went wrong, their spread says nothing: too few.',
  },
  id: {
    name: 'Cell and id',
    meaning: 'A cell is one number of a table: one player against one opponent. Its id are the first digits of its address; id-17 is its game 17, the same on every machine for players that count samples.',
  },
} as const;

export type Term = keyof typeof terms;
