//! The page of `tesuji reproduce`: the experiments of the papers, the speed of games and
//! searches, and portfolios of seeds.

use maud::{Markup, html};

use crate::portfolio::{PublishedSeeds, SeedTable, explanation};
use crate::store::{Frame, Section, StoreReport};
use crate::{Table, VerdictCount};

/// Everything that one run of `tesuji reproduce` measured.
pub struct Reproduction<'a> {
    /// A line that says where and when it was measured.
    pub origin: &'a str,
    /// The experiments of the papers.
    pub report: &'a StoreReport,
    /// The counts of move sequences, the speed of random games and the speed of searches.
    pub rules_and_speed: [&'a Table; 3],
    /// Portfolios of seeds.
    pub portfolios: &'a [SeedTable],
    /// The published rates of portfolios.
    pub published: &'a PublishedSeeds,
}

impl Reproduction<'_> {
    /// Returns how many of all published numbers have each verdict.
    pub fn verdicts(&self) -> VerdictCount {
        let portfolios = self.portfolios.iter().map(|table| table.verdicts(self.published));
        portfolios.chain([self.report.verdicts()]).sum()
    }

    /// Returns everything as one HTML page.
    pub fn html(&self) -> String {
        let rules_and_speed = html! {
            (rules_and_speed_explanation())
            @for table in self.rules_and_speed { (table.titled_html()) }
        };
        let mut sections =
            vec![Section { anchor: "rules-and-speed", title: "Rules and speed", body: rules_and_speed }];
        if !self.portfolios.is_empty() {
            let body = html! {
                (explanation())
                @for table in self.portfolios { (table.html(self.published)) }
            };
            sections.push(Section { anchor: "portfolios", title: "Portfolios of seeds", body });
        }
        self.report.framed_html(&Frame {
            title: "tesuji: measured and published",
            origin: self.origin,
            verdicts: self.verdicts(),
            sections,
        })
    }
}

fn rules_and_speed_explanation() -> Markup {
    html! {
        p {
            "The first table counts legal move sequences, with the fast rules and with slow, simple rules that \
             the tests use as a reference. Equal counts are strong evidence of equal rules."
        }
        p {
            "The second table plays uniformly random games. Time is CPU time of one thread. "
            em { "It wins" }
            " is the share of games that the first mover wins, ± one standard error. Figures of other programs were \
             measured on another machine (one core of an AMD EPYC of the Zen 4 class) or printed."
        }
        p {
            "The third table searches the start positions on one thread. The number after @ is the samples of one \
             search. "
            em { "Ratio" }
            " is simulations to random games, measured in turn. "
            em { "Positions" } " and " em { "memory" }
            " are what a search keeps at its end. A number next to a program's name is the simulations \
             per second of its UCT on that other machine."
        }
    }
}
