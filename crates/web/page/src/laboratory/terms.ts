// Terms explained, as the reports of the command line explain them.

export const terms = {
  won: { name: 'Won, %', meaning: "The player's points in a hundred games: one for a win, half for a draw." },
  interval: {
    name: '95 % interval',
    meaning:
      'How well a number is known, as a range in brackets: 10.0 (1.8 to 40.4). Of a hundred such intervals about 95 contain the true number. 500 games at 50 % give 45.6 to 54.4; four times as many games halve the width.',
  },
  verdict: {
    name: '✓ agrees, ≈ off, ✗ differs, ? open',
    meaning:
      'The verdict on a published number. It agrees if the whole 95 % interval of the difference lies within 5 points (win rates) or 10 % (regrets). Else it differs if the 99.9 % interval excludes zero, is off if the 95 % interval does, and is open if neither does. Of numbers that are truly equal one in twenty is off or differs by chance. Few games leave most verdicts open: they confirm nothing and refute nothing.',
  },
  budget: {
    name: 'Other budget',
    meaning: 'The published rate was measured with another number of samples a move. It is shown and not judged.',
  },
  chi: {
    name: 'χ² and p',
    meaning:
      'All differences of a table, or of one of its rows, together. p is the probability of differences this large if all true rates were the published ones. A small p says that something differs somewhere, even if no single cell stands out.',
  },
  elo: {
    name: 'Elo',
    meaning: 'The rate on another scale: 0 is even, 100 wins 64 %, 200 wins 76 %, 400 wins 91 %. It is infinite if one player won everything.',
  },
  rating: {
    name: 'Rating',
    meaning:
      'The Elo that explains all results of a tournament best. The mean of all ratings is 0, or one player has a fixed rating. A player 100 points above another one wins 64 % of their games, whatever the advantage of moving first is worth.',
  },
  first: {
    name: 'Advantage of moving first',
    meaning: 'What the first move is worth in a game, in Elo, for players of any strength. It is part of the model, so that it does not change the ratings.',
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
    meaning: 'Games 0 and 1, 2 and 3 and so on have the same opening with the colours exchanged. They are counted by the player’s points: 0, ½, 1, 1½ and 2.',
  },
  distinct: {
    name: 'Distinct games',
    meaning: 'How many games differ in their moves. If this is far below the number of games, the same games were played again and again, and the intervals are too narrow.',
  },
  flight: {
    name: 'In flight',
    meaning:
      'Games that were begun and are not over: a run paused them, and the next run continues them. Short games end first, so the finished games of such a cell are not a fair sample. Its verdict is open until all its games are over.',
  },
  expected: {
    name: 'Expected',
    meaning:
      'The win rate of a configuration by a model that learns from the games of all candidates: similar configurations win about equally often. From and to are the ends of its 95 % interval. The best of many candidates was also lucky, so its expected rate is often lower than the rate of its own games.',
  },
  response: {
    name: 'Response curve',
    meaning: 'The win rate by the model over the values of one parameter. The other parameters have the values of the best candidate. A flat curve says that the parameter matters little.',
  },
  fresh: {
    name: 'Fresh games',
    meaning: 'Games after the tuning, with other openings and random numbers. They did not choose the finalists, so luck in the tuning does not change their win rates.',
  },
  gain: {
    name: 'Gain',
    meaning: 'By how many points a finalist wins more of its fresh games than the default configuration, in games with the same openings and random numbers. The 95 % interval follows.',
  },
  regret: {
    name: 'Simple regret',
    meaning: 'The value of the best arm minus the value of the arm that a policy recommends after its samples, on average over many runs. Only the last choice counts, not the samples on the way.',
  },
  wrong: { name: 'Wrong', meaning: 'How often an arm is recommended that is not the best.' },
  id: {
    name: 'Cell and id',
    meaning: 'A cell is one number of a table: one player against one opponent. Its id is the first digits of its address; id-17 is its game 17, the same on every machine for players that count samples.',
  },
} as const;

export type Term = keyof typeof terms;
