"""Which (s, S) inventory policy is best? Halving against equal shares of the samples.

A shop looks at its shelf every evening: if fewer than s items are left, it orders up to S.
An order costs a fee, items on the shelf cost rent, and customers who find nothing cost most. A
simulated month says how good a policy is, with a lot of noise. There are 45 policies and 450
months to simulate: which policy gets how many?
"""

import numpy as np

import tesuji

POLICIES = np.array([(s, s + lot) for s in range(2, 20, 2) for lot in range(6, 31, 6)])
DAYS, DEMAND, FEE, RENT, LOST = 30, 5.0, 24.0, 0.7, 9.0
BUDGET = 10 * len(POLICIES)


def months(arms, luck):
    """Return the rewards of simulated months, one for each arm: 1 is a month without cost."""
    low, high = POLICIES[arms].T
    stock, cost = high, np.zeros(len(arms))
    for _ in range(DAYS):
        demand = luck.poisson(DEMAND, len(arms))
        cost += LOST * np.maximum(demand - stock, 0)
        stock = np.maximum(stock - demand, 0)
        cost += RENT * stock + FEE * (stock < low)
        stock = np.where(stock < low, high, stock)
    return np.clip(1 - cost / (DAYS * 40.0), 0, 1)


def rule_of_thumb():
    """Return what a textbook says of each policy, as a score: order about sqrt(2·fee·demand/rent)."""
    lots = POLICIES[:, 1] - POLICIES[:, 0]
    return -np.abs(np.log(lots / np.sqrt(2 * FEE * DEMAND / RENT)))


def choose(policy, trial):
    """Run one trial, a whole batch of months at a time."""
    luck = np.random.default_rng(trial)
    allocator = tesuji.Allocator(policy, len(POLICIES), BUDGET, seed=trial)
    allocator.set_scores(rule_of_thumb())
    for batch in allocator:
        allocator.observe_all(months(np.repeat(batch["arm"], batch["samples"]), luck))
    return allocator.recommend()


def main(trials=300):
    """Find a policy once, and then measure how good such choices are."""
    luck = np.random.default_rng(1)
    found = tesuji.best_arm(lambda arm, n: months(np.full(n, arm), luck), len(POLICIES), BUDGET)
    s, S = POLICIES[found.arm]
    print(f"After {found.spent} months: s = {s}, S = {S}, simulated {found.counts[found.arm]} times\n")

    values = np.array([months(np.full(20_000, arm), luck).mean() for arm in range(len(POLICIES))])
    print("             regret of the choice   it is the best")
    for policy in ["uniform", "sh", "shuss(t=0.2)"]:
        regrets = np.array([values.max() - values[choose(policy, trial)] for trial in range(trials)])
        error = regrets.std() / np.sqrt(trials)
        print(f"{policy:12} {regrets.mean():.5f} ± {error:.5f}      {(regrets == 0).mean():.0%}")


if __name__ == "__main__":
    main()
