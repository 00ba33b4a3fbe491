"""Policies step by step, and the loop around them."""

import copy
import math
import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tesuji

POLICIES = [
    policy["name"]
    + "("
    + ",".join(f"{option['name']}=4" for option in policy["options"] if option["default"] is None)
    + ")"
    for policy in tesuji.policies()
]


def rewards(arm, first, n):
    """Rewards of an arm that do not depend on who asks: numbers first to first + n - 1."""
    return np.array([np.random.default_rng((arm, k)).random() for k in range(first, first + n)])


def same(one, other):
    """Whether two structured arrays are the same, bit by bit: nan too."""
    return one.dtype == other.dtype and one.tobytes() == other.tobytes()


def run(allocator):
    """Runs an allocator to its end, and gives its batches."""
    batches = []
    while (batch := allocator.next_batch()) is not None:
        batches.append(batch.tolist())
        counts = allocator.arms["count"]
        for arm, samples in batch.tolist():
            allocator.observe(arm, rewards(arm, counts[arm], samples))
    return batches


def sequential_halving(n_arms, budget):
    """Sequential Halving of Karnin, Koren and Somekh, with all samples of an arm kept."""
    sizes = [n_arms]
    while sizes[-1] > 1:
        sizes.append(math.ceil(sizes[-1] / 2) if sizes[-1] > 2 else 1)
    left, seen, rest = list(range(n_arms)), [np.empty(0)] * n_arms, budget
    for index, (size, kept) in enumerate(zip(sizes, sizes[1:])):
        samples = rest // (len(sizes) - 1 - index) // size
        # What is left over in the end is for the best arms of the last round.
        extra = rest - samples * size if kept == 1 else 0
        for place, arm in enumerate(left):
            more = samples + (place < extra)
            seen[arm] = np.append(seen[arm], rewards(arm, len(seen[arm]), more))
        rest -= samples * size + extra
        left = sorted(left, key=lambda arm: -seen[arm].mean())[:kept]
    return left[0], [len(all_of_it) for all_of_it in seen]


@settings(max_examples=60, deadline=None)
@given(st.integers(3, 20), st.integers(0, 200), st.integers(0, 2**64 - 1))
def test_sequential_halving_is_that_of_the_paper(n_arms, more, seed):
    # So that every arm has a sample: before, the order is the seed's.
    budget = n_arms * math.ceil(math.log2(n_arms)) + more
    allocator = tesuji.Allocator("sh", n_arms, budget, seed=seed)
    run(allocator)
    arm, counts = sequential_halving(n_arms, budget)
    assert allocator.recommend() == arm
    assert allocator.arms["count"].tolist() == counts


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(POLICIES), st.integers(1, 12), st.integers(1, 60), st.integers(0, 9), st.data())
def test_budgets_are_spent_and_seeds_decide(policy, n_arms, budget, seed, data):
    allocator = tesuji.Allocator(policy, n_arms, budget, seed=seed)
    batches = run(allocator)
    assert allocator.is_done and allocator.next_batch() is None
    assert allocator.spent == sum(samples for batch in batches for _, samples in batch)
    assert allocator.spent == budget or allocator.stop
    assert all(samples >= 1 for batch in batches for _, samples in batch)

    counts = [0] * n_arms

    def sample(arm, n):
        counts[arm] += n
        return rewards(arm, counts[arm] - n, n)

    found = tesuji.best_arm(sample, n_arms, budget, policy, seed=seed)
    assert found.arm == allocator.recommend()
    assert found.counts.tolist() == counts == allocator.arms["count"].tolist()
    np.testing.assert_array_equal(found.means, allocator.arms["mean"])
    assert same(found.rounds, allocator.rounds)

    # The same, with the arms of a batch in another order, interrupted again and again.
    other = tesuji.Allocator(policy, n_arms, budget, seed=seed)
    for expected in batches:
        assert other.next_batch().tolist() == expected
        for arm, samples in data.draw(st.permutations(expected)):
            first = other.arms["count"][arm]
            told = rewards(arm, first, samples)
            other.observe(arm, float(told[0]))
            if data.draw(st.booleans()):
                other = pickle.loads(pickle.dumps(other))
            other.observe(arm, told[1:])
    assert other.next_batch() is None
    assert same(other.arms, allocator.arms) and same(other.rounds, allocator.rounds)
    assert other.recommend() == allocator.recommend()


def test_statistics():
    allocator = tesuji.Allocator("uniform", 3, 9)
    assert math.isnan(allocator.arms["mean"][0]) and math.isnan(allocator.arms["score"][0])
    assert allocator.next_batch()["samples"].tolist() == [3, 3, 3]
    values = np.array([[0.1, 0.5, 0.9], [0, 0, 1], [0.25, 0.25, 0.25]])
    allocator.observe_all(values)
    arms = allocator.arms
    np.testing.assert_allclose(arms["mean"], values.mean(axis=1))
    np.testing.assert_allclose(arms["variance"], values.var(axis=1, ddof=1), atol=1e-15)
    assert allocator.next_batch() is None
    assert repr(allocator) == "<Allocator 'uniform': 3 arms, 9 of 9 samples>"


def test_a_batch_at_once():
    ragged = [0.1, 0.2, 0.3], np.array([0.4, 0.5])
    for told in (np.concatenate(ragged), [0.1, 0.2, 0.3, 0.4, 0.5], ragged, list(ragged)):
        allocator = tesuji.Allocator("uniform", 2, 5)
        order = allocator.next_batch()["arm"].tolist()
        allocator.observe_all(told)
        np.testing.assert_allclose(allocator.arms["mean"][order], [0.2, 0.45])
    # What is missing, where some is there.
    allocator = tesuji.Allocator("uniform", 2, 5)
    allocator.next_batch()
    allocator.observe(0, 1)
    assert sum(allocator.pending["samples"]) == 4
    allocator.observe_all(np.zeros(4))
    assert allocator.spent == 5 and len(allocator.pending) == 0


def test_scores_decide_where_rewards_are_equal():
    for policy in ["shuss(t=50)", "gumbel", "sh", "ucb1"]:
        # Gumbel noise is some units large, and such logits are beyond it.
        found = tesuji.best_arm(lambda arm, n: [0.5] * n, 8, 80, policy, scores=100 * np.eye(8)[5])
        assert found.arm == 5, policy
    allocator = tesuji.Allocator("shuss(t=4)", 3, 30)
    allocator.set_scores([0.1, 0.2, 0.3], counts=[1, 2, 3])
    assert allocator.arms["score_count"].tolist() == [1, 2, 3]
    again = copy.deepcopy(allocator)
    assert same(again.arms, allocator.arms)


def test_what_cannot_be():
    allocator = tesuji.Allocator("uniform", 3, 7)
    wrong = [
        (lambda: tesuji.Allocator("best", 3, 7), "'best' is not a policy"),
        (lambda: tesuji.Allocator("sh", 0, 7), "there are from 1 to 1000000 arms, not 0"),
        (lambda: tesuji.Allocator("sh", -1, 7), "n_arms is at least 1, not -1"),
        (lambda: tesuji.Allocator("sh", 3, 0), "a budget is from 1 to 1000000000 samples, not 0"),
        (lambda: allocator.observe(0, 0.5), "the batch needs 0 more"),
        (lambda: allocator.observe(3, 0.5), "there is no arm 3: they are numbered from 0 to 2"),
        (lambda: allocator.observe(-1, 0.5), "there is no arm -1"),
        (lambda: allocator.set_scores([1, 2]), "2 scores were given for 3 arms: give one for each"),
        (lambda: allocator.set_scores([1, 2, math.inf]), "inf is not a score"),
        (lambda: allocator.set_scores([1, 2, 3], [1, 2, -3]), "-3 is not a number of samples"),
    ]
    for call, sentence in wrong:
        with pytest.raises(ValueError, match=sentence):
            call()
    allocator.next_batch()
    wrong = [
        (lambda: allocator.next_batch(), "the last batch is not whole: 7 rewards of it are missing"),
        (lambda: allocator.observe(0, 1.1), "1.1 is not a reward"),
        (lambda: allocator.observe(0, [0.5, -0.1]), "-0.1 is not a reward"),
        (lambda: allocator.observe(0, math.nan), "NaN is not a reward"),
        (lambda: allocator.observe(0, [0.5] * 4), "are too many"),
        (lambda: allocator.observe_all([0.5] * 6), "the batch needs 7 more rewards, not 6"),
        (lambda: allocator.observe_all([[0.5] * 6, [0.5]]), "as many rewards as the batch asks for"),
    ]
    for call, sentence in wrong:
        with pytest.raises(ValueError, match=sentence):
            call()
    # Nothing of all this was taken.
    assert allocator.spent == 0
    allocator.observe(0, 0.5)
    with pytest.raises(ValueError, match="another trial"):
        tesuji.Allocator("ucb1", 3, 8).__setstate__(allocator.__getstate__())


def test_what_a_sampler_raises_comes_through():
    def interrupted(arm, n):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        tesuji.best_arm(interrupted, 3, 30)
    with pytest.raises(ValueError, match=r"must return 5 rewards, and returned 1"):
        tesuji.best_arm(lambda arm, n: 0.5, 3, 30)
    assert tesuji.best_arm(lambda arm, n: arm / 2, 3, 30, "ucb1").arm == 2


def test_rewards_that_run_code_do_not_lock_anybody_out():
    allocator = tesuji.Allocator("uniform", 2, 2)

    class Curious:
        def __array__(self, *_, **__):
            return np.array([float(allocator.spent)])

    allocator.next_batch()
    allocator.observe_all([Curious(), Curious()])
    assert allocator.spent == 2


def test_a_search_for_the_best_arm_stops_when_it_is_sure() -> None:
    luck = np.random.default_rng(1)
    values = (0.8, 0.3, 0.2)
    found = tesuji.best_arm(lambda arm, n: luck.random(n) < values[arm], 3, 100_000, "ucb1", until=0.95, within=0.02)
    assert found.arm == 0 and found.spent < 100_000
    assert found.stop is not None and found.stop.reason == "sure"
    assert found.confidence is not None and found.confidence >= 0.95
    with pytest.raises(ValueError, match="above 0.5 and below 1"):
        tesuji.best_arm(lambda arm, n: [0.5] * n, 3, 30, until=1)
