//! Sequential Halving (Karnin, Koren, Somekh 2013) and all that is made from
//! it: SHUSS (Fabiano, Cazenave 2021), which adds scores to the means; prior
//! pruning; halving by any sequence of cuts; the Gumbel root (Danihelka et al.
//! 2022), which is SHUSS with the scores Gumbel noise + logits.
//!
//! A round samples every remaining arm equally often, in one batch, and keeps the
//! best by `q = mean + (t′/t⁺)·score`. [`schedule()`] computes the numbers of arms
//! and samples, [`ScoreWeight`] is t′. Ties are broken by the score, then at
//! random: the arms are shuffled once, at the beginning. [`calibration`] learns the
//! weight of the scores during the run instead.

mod calibrated;
mod calibration;
mod config;
mod gumbel;
mod ranking;
mod schedule;
mod score_weight;
mod specs;

use std::cell::RefCell;

use tesuji_core::{Allocator, Arms, Batch, Calibration, Pull, Ranked, Rng, Round, Stop};

use calibration::Calibrator;
pub(crate) use config::{Entrants, HalvingConfig, Ranks};
use schedule::{ScheduledRound, schedule, share, sizes};
use score_weight::ScoreWeight;
pub(crate) use specs::{GUMBEL, SH, SHUSS};

use ranking::{Key, Ranking, compare, sort};

/// The allocator of the whole family.
#[derive(Clone, Debug)]
pub(crate) struct Halving {
    config: HalvingConfig,
    n_arms: usize,
    budget: u64,
    /// Schedules made so far, and which one is followed now. One allocator often
    /// meets the same few numbers of arms and budgets again and again.
    plans: Vec<Plan>,
    plan: usize,
    /// The round whose batch is out or comes next; none before the first.
    round: Option<usize>,
    /// The arms that are left, best first.
    left: Vec<usize>,
    /// The arms that were cut, best first, if they are ranked again.
    cut: Vec<usize>,
    /// Whether they are.
    ranks_all: bool,
    /// The samples of all batches so far, and those of each arm in the last one.
    asked: u64,
    samples_each: u64,
    /// Discounted statistics of each arm, kept only where w < 1.
    discounted: Vec<Discounted>,
    /// The least samples of an arm in a round while the budget lasts.
    least: u64,
    /// Gumbel noise of each arm, kept only where it is used.
    noise: Vec<f64>,
    pulls: Vec<Pull>,
    keys: Vec<Key>,
    ranking: Ranking,
    /// In a cell, because a recommendation in the middle of a round fits the model too.
    calibrator: RefCell<Calibrator>,
    watched: Option<Vec<Round>>,
}

/// A schedule and what it was made for.
#[derive(Clone, Debug)]
struct Plan {
    n_arms: usize,
    budget: u64,
    /// Whether there were no scores to prune by.
    unscored: bool,
    /// The number of arms that a network has in doubt, rounded up, if samples are its values.
    open_arms: Option<usize>,
    n_entrants: usize,
    rounds: Vec<ScheduledRound>,
}

/// The number of schedules that are kept: a curve has a dozen budgets or two.
const MOST_PLANS: usize = 32;

/// `sum ← w·sum + new`, and the same for the count.
#[derive(Clone, Copy, Debug, Default)]
struct Discounted {
    count: f64,
    sum: f64,
    /// The arm's whole statistics at the last look, to find what is new.
    seen_count: u64,
    seen_sum: f64,
}

impl Discounted {
    /// With the samples that came since the last look, if any did.
    fn with_new(self, w: f64, arms: &Arms, arm: usize) -> Discounted {
        let (count, sum) = (arms.count(arm), arms.sum(arm));
        if count == self.seen_count {
            return self;
        }
        Discounted {
            count: w * self.count + (count - self.seen_count) as f64,
            sum: w * self.sum + (sum - self.seen_sum),
            seen_count: count,
            seen_sum: sum,
        }
    }
}

/// An arm's mean and the samples behind it, as this halving reads them.
struct Mean {
    value: f64,
    samples: f64,
}

impl Halving {
    /// The allocator, or a sentence if the configuration is impossible.
    pub(crate) fn new(config: HalvingConfig) -> Result<Halving, String> {
        config.check()?;
        Ok(Halving {
            config,
            n_arms: 0,
            budget: 0,
            plans: Vec::new(),
            plan: 0,
            round: None,
            left: Vec::new(),
            cut: Vec::new(),
            ranks_all: false,
            asked: 0,
            samples_each: 0,
            least: 0,
            discounted: Vec::new(),
            noise: Vec::new(),
            pulls: Vec::new(),
            keys: Vec::new(),
            ranking: Ranking::default(),
            calibrator: RefCell::default(),
            watched: None,
        })
    }

    /// Finds the schedule for the arms and the budget, or makes it.
    fn choose_plan(&mut self, arms: &Arms) {
        let (n_arms, budget) = (self.n_arms, self.budget);
        // Scores that nothing stands behind yet cannot prune.
        let unscored = matches!(self.config.entrants, Entrants::Pruned { .. })
            && !(arms.is_scored() && (0..n_arms).any(|arm| arms.score_count(arm) > 0.0));
        let open_arms = arms.network().map(|view| view.open_arms.ceil() as usize);
        let is_it = |plan: &Plan| {
            (plan.n_arms, plan.budget, plan.unscored, plan.open_arms) == (n_arms, budget, unscored, open_arms)
        };
        if self.plans.get(self.plan).is_some_and(is_it) {
            return;
        }
        if let Some(plan) = self.plans.iter().position(is_it) {
            self.plan = plan;
            return;
        }
        let n_entrants = match unscored {
            true => n_arms,
            false => self.config.entrants(n_arms, budget, open_arms),
        };
        let rounds =
            schedule(&sizes(n_entrants, &self.config.cut), budget, self.config.spread, self.config.least);
        let plan = Plan { n_arms, budget, unscored, open_arms, n_entrants, rounds };
        if self.plans.len() < MOST_PLANS {
            self.plan = self.plans.len();
            self.plans.push(plan);
        } else {
            self.plan = (self.plan + 1) % MOST_PLANS;
            self.plans[self.plan] = plan;
        }
    }

    /// The rounds of this run; none before it began.
    fn schedule(&self) -> &[ScheduledRound] {
        self.plans.get(self.plan).map_or(&[], |plan| &plan.rounds)
    }

    /// The number of arms that go on after a round.
    fn kept(&self, round: usize) -> usize {
        self.schedule().get(round + 1).map_or(1, |next| next.arms)
    }

    /// Lets the arms in: all in random order, or the best by score.
    fn enter(&mut self, arms: &Arms, rng: &mut Rng) {
        self.choose_plan(arms);
        let n_entrants = self.plans[self.plan].n_entrants;
        self.left.clear();
        self.left.extend(0..self.n_arms);
        rng.shuffle(&mut self.left);
        self.noise.clear();
        if let Entrants::GumbelTop { noise, .. } = self.config.entrants {
            // u is a multiple of 2⁻⁵³ in [0, 1): half a step up, it is never 0.
            let gumbel = |u: f64| -libm::log(-libm::log(u + f64::EPSILON / 4.0));
            let draw = |rng: &mut Rng| if noise { gumbel(rng.unit()) } else { 0.0 };
            self.noise.extend((0..self.n_arms).map(|_| draw(rng)));
        }
        self.cut.clear();
        self.ranks_all = match self.config.ranks {
            Ranks::Left => false,
            Ranks::All => true,
            Ranks::Auto => arms.value().is_none(),
        };
        if self.ranks_all {
            self.cut.reserve(self.n_arms);
            self.keys.clear();
            self.keys.reserve(self.n_arms);
        }
        // Scores that are known beforehand say which arms come first if samples are few.
        let is_prior = |arm: usize| arms.score_count(arm) == f64::INFINITY;
        let are_priors = arms.value().is_some() && (0..self.n_arms).all(is_prior);
        let by_score = arms.is_scored() && (self.config.weight.is_calibrated() || are_priors);
        // Samples that say as much as a network's come to every arm once, while they last.
        self.least = self.config.least.max(u64::from(are_priors && self.config.weight.is_calibrated()));
        if n_entrants < self.n_arms || by_score {
            let keys = self.left.iter().enumerate().map(|(place, &arm)| {
                let q = score(&self.config, &self.noise, arms, arm);
                Key { ranked: Ranked { arm, q, mean: 0.0, bonus: q }, second: 0.0, place }
            });
            self.keys.clear();
            self.keys.extend(keys);
            sort(&mut self.keys);
            self.left.clear();
            self.left.extend(self.keys[..n_entrants].iter().map(|key| key.ranked.arm));
        }
        if self.config.carry < 1.0 {
            self.discounted.clear();
            self.discounted.extend((0..self.n_arms).map(|arm| Discounted {
                count: arms.count(arm) as f64,
                sum: arms.sum(arm),
                seen_count: arms.count(arm),
                seen_sum: arms.sum(arm),
            }));
        }
    }

    /// Takes the new samples of the arms that are left into the discounted statistics.
    fn discount(&mut self, arms: &Arms) {
        let w = self.config.carry;
        if w == 1.0 {
            return;
        }
        for &arm in &self.left {
            self.discounted[arm] = self.discounted[arm].with_new(w, arms, arm);
        }
    }

    fn mean(&self, arms: &Arms, arm: usize) -> Mean {
        let (samples, sum) = match self.discounted.get(arm) {
            Some(discounted) => {
                let Discounted { count, sum, .. } = discounted.with_new(self.config.carry, arms, arm);
                (count, sum)
            }
            None => (arms.count(arm) as f64, arms.sum(arm)),
        };
        Mean { value: if samples > 0.0 { sum / samples } else { 0.0 }, samples }
    }

    /// The arms that the end of a round ranks, by place: those that are left come first.
    fn ranked_arms(&self) -> impl Iterator<Item = usize> + Clone {
        self.left.iter().chain(&self.cut).copied()
    }

    /// What each arm is ranked by at the end of a round that keeps `kept` arms, and what was learnt
    /// about the scores.
    fn for_each_key(&self, arms: &Arms, kept: usize, mut see: impl FnMut(Key)) -> Option<Calibration> {
        if self.config.weight.is_calibrated() {
            return Some(self.for_each_calibrated_key(arms, kept, see));
        }
        let weight = self.config.weight.value(arms, &self.left);
        let most = self.left.iter().map(|&arm| arms.count(arm)).max().unwrap_or(0);
        let stand_in = self.stand_in(arms);
        for (place, arm) in self.ranked_arms().enumerate() {
            let Mean { value, samples } = self.mean(arms, arm);
            let score = score(&self.config, &self.noise, arms, arm);
            let per_sample = match self.config.weight {
                ScoreWeight::Gumbel { visit, .. } => visit + most as f64,
                _ => samples,
            };
            let (mean, bonus) = match stand_in {
                _ if weight == f64::INFINITY => (0.0, score),
                // Nobody has a sample: the scores are all there is.
                UnsampledRank::Scores => (0.0, score),
                UnsampledRank::Value(stand_in) if samples == 0.0 => (stand_in, weight * score / per_sample),
                UnsampledRank::Last if samples == 0.0 => (f64::NEG_INFINITY, 0.0),
                _ if weight == 0.0 => (value, 0.0),
                _ => (value, weight * score / per_sample),
            };
            let second = if weight == f64::INFINITY { value } else { score };
            see(Key { ranked: Ranked { arm, q: mean + bonus, mean: value, bonus }, second, place });
        }
        None
    }

    /// What an arm without samples counts as.
    fn stand_in(&self, arms: &Arms) -> UnsampledRank {
        let sampled = |&arm: &usize| self.mean(arms, arm).samples > 0.0;
        match self.config.weight {
            ScoreWeight::Gumbel { .. } => UnsampledRank::Value(self.mixed_value(arms)),
            _ if self.left.iter().any(sampled) => UnsampledRank::Last,
            _ => UnsampledRank::Scores,
        }
    }

    /// Ends a round: ranks the arms and keeps the best.
    fn cut(&mut self, arms: &Arms, kept: usize) {
        if self.is_plain(arms) {
            // Most runs of most experiments come here. Only a watcher wants to know who
            // came after.
            let n_ranked = if self.watched.is_some() { self.left.len() } else { kept };
            let mean = |arm: usize| arms.sum(arm) / arms.count(arm) as f64;
            self.ranking.by_mean(&mut self.left, n_ranked, mean);
            let ranked = |&arm: &usize| Ranked { arm, q: mean(arm), mean: mean(arm), bonus: 0.0 };
            if self.watched.is_some() {
                let ranking = self.left.iter().map(ranked).collect();
                self.note(Round { ranking, kept, ..Round::default() });
            }
            self.left.truncate(kept);
            return;
        }
        self.discount(arms);
        let mut keys = std::mem::take(&mut self.keys);
        keys.clear();
        let calibration = self.for_each_key(arms, kept, |key| keys.push(key));
        sort(&mut keys);
        let kept = self.promising(&keys, kept);
        if self.watched.is_some() {
            let n_left = self.left.len();
            let takes_part = |&(rank, key): &(usize, &Key)| rank < kept || key.place < n_left;
            let ranking = keys.iter().enumerate().filter(takes_part).map(|(_, key)| key.ranked).collect();
            let comebacks = keys[..kept].iter().filter(|key| key.place >= n_left).count();
            self.note(Round { ranking, kept, comebacks, calibration, ..Round::default() });
        }
        let (on, out) = keys.split_at(kept);
        self.left.clear();
        self.left.extend(on.iter().map(|key| key.ranked.arm));
        if self.ranks_all {
            self.cut.clear();
            self.cut.extend(out.iter().map(|key| key.ranked.arm));
        }
        self.keys = keys;
    }

    /// Keeps the round for those who watch.
    fn note(&mut self, round: Round) {
        let round = Round { samples_each: self.samples_each, ..round };
        self.watched.get_or_insert_default().push(round);
    }

    /// The samples for each arm of a round, and the number of arms that get one more.
    fn samples(&self, round: usize) -> (u64, usize) {
        let rounds = self.schedule();
        match self.config.weight {
            // The schedule is a bound: fewer arms than it allows may be left.
            ScoreWeight::Calibrated { .. } => {
                let left = self.budget.saturating_sub(self.asked);
                share(left, rounds.len() - round, self.left.len(), self.least)
            }
            _ => (rounds[round].samples, rounds[round].extra),
        }
    }

    /// Whether the means alone decide, and every arm has one.
    fn is_plain(&self, arms: &Arms) -> bool {
        let HalvingConfig { carry, weight, .. } = self.config;
        carry == 1.0
            && !self.ranks_all
            && !arms.is_scored()
            && matches!(weight, ScoreWeight::Constant(finite) if finite.is_finite())
            && Ranking::is_few(self.left.len())
            && self.left.iter().all(|&arm| arms.count(arm) > 0)
    }
}

/// How an arm without samples is ranked among the others.
enum UnsampledRank {
    /// No arm has samples: all are ranked by their scores.
    Scores,
    /// Others have: it comes last.
    Last,
    /// As if its mean were this.
    Value(f64),
}

/// The score that this halving uses.
fn score(config: &HalvingConfig, noise: &[f64], arms: &Arms, arm: usize) -> f64 {
    match config.entrants {
        Entrants::GumbelTop { logits, .. } => noise[arm] + logits * arms.score(arm),
        _ => arms.score(arm),
    }
}

impl Allocator for Halving {
    fn begin(&mut self, n_arms: usize, budget: u64) {
        debug_assert!(n_arms > 0, "there is nothing to choose from");
        (self.n_arms, self.budget, self.round) = (n_arms, budget, None);
        (self.asked, self.samples_each) = (0, 0);
        self.left.clear();
        self.cut.clear();
        if let Some(watched) = &mut self.watched {
            watched.clear();
        }
    }

    fn next_batch(&mut self, arms: &Arms, rng: &mut Rng) -> Option<Batch<'_>> {
        let mut round = match self.round {
            None => {
                self.enter(arms, rng);
                0
            }
            Some(round) if round < self.schedule().len() => {
                self.cut(arms, self.kept(round));
                round + 1
            }
            Some(_) => return None,
        };
        self.round = Some(round);
        // A round without samples only cuts.
        while round < self.schedule().len() {
            let (samples, extra) = self.samples(round);
            self.samples_each = samples;
            if samples > 0 || extra > 0 {
                let pulls = self.left.iter().enumerate().map(|(place, &arm)| {
                    let samples = samples + u64::from(place < extra);
                    Pull { arm, samples }
                });
                self.pulls.clear();
                self.pulls.extend(pulls.filter(|pull| pull.samples > 0));
                self.asked += samples * self.left.len() as u64 + extra as u64;
                return Some(Batch { round: round as u32, pulls: &self.pulls });
            }
            self.cut(arms, self.kept(round));
            round += 1;
            self.round = Some(round);
        }
        None
    }

    fn recommend(&self, arms: &Arms) -> usize {
        match self.left.as_slice() {
            [] => arms.best_by(|arm| arms.score(arm)),
            [only] => *only,
            // The round is not over: the best as far as is known.
            [first, ..] => {
                let mut best: Option<Key> = None;
                self.for_each_key(arms, 1, |key| {
                    if best.is_none_or(|best| compare(&key, &best).is_lt()) {
                        best = Some(key);
                    }
                });
                best.map_or(*first, |key| key.ranked.arm)
            }
        }
    }

    fn stop(&self) -> Option<Stop> {
        (self.round.is_some() && self.schedule().is_empty() && self.budget > 0).then_some(Stop::OneArm)
    }

    fn rounds(&self) -> &[Round] {
        self.watched.as_deref().unwrap_or(&[])
    }

    fn improved_policy(&self, arms: &Arms) -> Option<Vec<f64>> {
        self.gumbel_policy(arms)
    }

    fn watch(&mut self) {
        self.watched.get_or_insert_default();
    }
}

#[cfg(test)]
mod tests;
