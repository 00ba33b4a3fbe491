//! The meaning of the words in a report, for people who do not read them every day.

use maud::{Markup, html};
use tesuji_arena::statistics::Verdict;

use crate::html::section;

/// Returns the last section of the page.
pub(super) fn html() -> Markup {
    let terms = html! {
        dl {
            dt { "Won, %" }
            dd { "The player's points in a hundred games: one for a win, half for a draw." }
            dt { "95 % interval" }
            dd { "Written as a range: 10.0 (1.8 to 40.4). Of a hundred such intervals about 95 contain the true rate \
                  (Wilson's interval). 500 games at 50 % give 45.6 to 54.4; four times as many games halve its width." }
            dt { "±" }
            dd { "One standard error: how far a mean of that many runs typically is from the true one. Two of them \
                  are about a 95 % interval." }
            dt { "Difference" }
            dd { "Measured minus published, with its 95 % interval, which includes the chance in the published number \
                  too (Newcombe's interval for rates). Rates are compared in points, regrets in per cent of the \
                  published regret. With 500 games on both sides near 50 % the interval is 6.2 points to each side." }
            dt { "✓ agrees, ≈ off, ✗ differs, ? open" }
            dd { "The verdict on a published number. " (Verdict::RULE) " Of numbers that are truly equal, one in \
                  twenty is off or differs by chance. Few games leave most verdicts open: they confirm nothing and \
                  refute nothing." }
            dt { "Decides" }
            dd { "How many games or runs would decide an open verdict, if the measured number stays as it is. " em { "Never" }
                 ": the published number itself comes from too few games or runs." }
            dt { "○ other budget" }
            dd { "The published rate was measured with another number of samples a move. It is shown and not judged." }
            dt { "χ² and p" }
            dd { "All differences of a table, or of one of its rows, together: each in standard errors, squared, \
                  added up. Their number is the degrees of freedom. p is the \
                  probability of a sum this large if all true rates were the published ones. A small p says that \
                  something differs somewhere, even if no single cell stands out." }
            dt { "Elo" }
            dd { "The rate on another scale: 0 is even, 100 wins 64 %, 200 wins 76 %, 400 wins 91 %. It is \
                  infinite if one player won everything. Elo, nElo and LOS are computed from pairs of games if all \
                  games are in pairs, so their intervals can be narrower than that of the rate." }
            dt { "nElo" }
            dd { "Normalised Elo: the distance from an even score in standard deviations of one game, times 347. \
                  It says how many games it takes to see the difference, even if many games are drawn." }
            dt { "LOS" }
            dd { "Likelihood of superiority: the probability that the player is the stronger one, given these \
                  results and no opinion beforehand. It is a normal approximation, unreliable with few games." }
            dt { "Rating" }
            dd { "The Elo that explains all results of a tournament best. The mean of all ratings is 0, or one player \
                  has a fixed rating. A player 100 points above another one wins 64 % of their games. The error is \
                  half of the 95 % interval." }
            dt { "Advantage of moving first" }
            dd { "What the first move is worth in a game, in Elo, for players of any strength. Ratings take it into \
                  account." }
            dt { "Pairs by points" }
            dd { "Games 0 and 1, 2 and 3 and so on have the same opening with the colours exchanged. Pairs are \
                  counted by the player's points: 0, ½, 1, 1½ and 2 (other programs call this Ptnml). A pair is even \
                  if each player has one point. Pairs spread less than single games if the opening favours a colour." }
            dt { "SPRT, LLR" }
            dd { "A sequential test between two Elo differences. The logarithm of the likelihood ratio (LLR) \
                  rises if results support the larger one. The match stops when it reaches one of its two bounds, \
                  or when the results contradict both differences: then the true one is between them." }
            dt { "Distinct games" }
            dd { "How many games differ in their moves. If this is far below the number of games, the same games \
                  were played again and again, and the intervals are too narrow." }
            dt { "Plies, time a game" }
            dd { "Moves of both players together, opening included; time by the clock of the machine that played." }
            dt { "In flight" }
            dd { "Games that were begun and are not over: a run paused them, and the next run continues them. Short \
                  games end first, so the finished games of such a cell are not a fair sample. Its verdict is open \
                  until all its games are over." }
            dt { "Void games" }
            dd { "Games without a result, because an engine crashed, timed out or broke the protocol. They are not \
                  counted and are played again." }
            dt { "Simple regret" }
            dd { "The value of the best arm minus the value of the arm that a policy recommends after its samples, \
                  on average over many runs. " em { "Wrong" } " is how often it recommends another arm than the \
                  best." }
            dt { "id" }
            dd { "The first digits of a cell's address. " em { "id" } "-17 is its game 17: a function of that \
                  name alone, the same on every machine and at any time for our players that count samples." }
        }
    };
    section("terms", "Terms explained", &terms)
}
