//! The meaning of the words in a report, for people who do not read them every day.

use maud::{Markup, html};

use crate::html::section;

/// Returns the last section of the page.
pub(super) fn html() -> Markup {
    let terms = html! {
        dl {
            dt { "Won, %" }
            dd { "The player's points in a hundred games: one for a win, half for a draw." }
            dt { "95 % interval, ±" }
            dd { "Wilson's interval: of a hundred such intervals about 95 hold the true rate. ± is half its \
                  width. 500 games at 50 % give ± 4.4 points; four times as many games halve it. Near 0 and 100 % \
                  the interval is longer on the inner side. Beside a mean of bandit runs or of times, ± is one \
                  standard error instead." }
            dt { "Difference" }
            dd { "Measured less published, in points, with its 95 % interval (Newcombe's, which takes the \
                  published games' luck into account too). Both of 500 games near 50 %, it is ± 6.2." }
            dt { "Agrees, off, DIFFERS, too few" }
            dd { "The verdict on a published rate. It " em { "agrees" } " where no difference lies in the 95 % \
                  interval of the difference, is " em { "off" } " outside that and inside the 99.9 % interval, \
                  and " em { "DIFFERS" } " outside both. Of rates that are truly the same one in twenty is off by \
                  chance, and one in a thousand differs. With fewer than ten games it is " em { "too few" } ". A \
                  simple regret agrees where it is within four standard errors of the difference, or within 5 %." }
            dt { "Other budget" }
            dd { "The published rate was measured with another number of samples a move, as in quick runs: it is \
                  shown for orientation and not judged." }
            dt { "χ² and p" }
            dd { "All differences of a table together, each in standard errors and squared. p is the probability \
                  of a sum as large as this one or larger, were all true rates the published ones: a small p says \
                  that something differs somewhere, even if no single cell stands out." }
            dt { "Elo" }
            dd { "The rate on another scale: 0 is even, 100 wins 64 %, 200 wins 76 %, 400 wins 91 %. It is \
                  infinite where one player won everything." }
            dt { "nElo" }
            dd { "Normalised Elo: the distance from an even score in standard deviations of one game, times 347. \
                  It says how many games it takes to see the difference, also where many games are drawn." }
            dt { "LOS" }
            dd { "Likelihood of superiority: the probability that the player is the stronger one, given these \
                  results and no opinion beforehand." }
            dt { "Pairs, Ptnml(0-2), DrawRatio, PairsRatio" }
            dd { "Games 0 and 1, 2 and 3 and so on have one opening with the colours exchanged. Ptnml counts \
                  pairs by the player's points, 0, ½, 1, 1½ and 2 (pentanomial). DrawRatio is the share of even \
                  pairs, PairsRatio won pairs to lost ones. Pairs spread less than single games where the opening \
                  favours a colour." }
            dt { "SPRT, LLR" }
            dd { "A sequential test between two Elo differences. The logarithm of the likelihood ratio (LLR) \
                  rises as results speak for the larger one; the match stops when it leaves the bounds in round \
                  brackets." }
            dt { "Distinct games" }
            dd { "How many games differ in their moves. Where it is far below the number of games, the same games \
                  were played again and again, and intervals are narrower than they ought to be." }
            dt { "Plies, time a game" }
            dd { "Moves of both players together, opening included; time by the clock of the machine that played." }
            dt { "Void games" }
            dd { "Games that came to nothing since an engine crashed, hung or broke the protocol. They count for \
                  nobody and are played again." }
            dt { "Simple regret" }
            dd { "The value of the best arm less that of the arm which a policy recommends after its samples, on \
                  average over many runs. " em { "Wrong" } " is how often another arm than the best is \
                  recommended." }
            dt { "Standard error" }
            dd { "How far a mean of that many runs typically is from the true one; two of them are about a 95 % \
                  interval." }
            dt { "id" }
            dd { "The first digits of a cell's address. " em { "id" } "-17 is its game 17: a function of that \
                  name alone, the same on every machine and at any time for our players that count samples." }
        }
    };
    section("terms", "Terms explained", &terms)
}
