"""The laboratory of regrets."""

import json
import signal
import threading
import time
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import tesuji


def test_policies_are_listed():
    policies = {policy["name"]: policy for policy in tesuji.policies()}
    assert {"uniform", "sh", "shuss", "ucb", "vct"} <= policies.keys()
    t = next(option for option in policies["shuss"]["options"] if option["name"] == "t")
    assert t["default"] == "calibrated" and t["values"] and t["meaning"]
    c = next(option for option in policies["ucb"]["options"] if option["name"] == "c")
    assert c["default"] is None


def test_a_table_of_all_combinations():
    table = pd.DataFrame(tesuji.bandit(["1:5", "N:5"], ["sh", "ucb(c=0.3)"], [50, 20], runs=300, threads=2))
    assert list(table["budget"]) == [20, 50] * 4
    assert list(table["arms"].unique()) == ["1:5", "N:5"]
    assert (table["runs"] == 300).all() and (table["spent"] == table["budget"]).all()
    first = table[table["policy"] == "sh"]
    assert first["difference"].isna().all() and table["difference"].notna().sum() == 4
    assert table["regret_most_pulled"].notna().sum() == 4
    differences = table["regret"].to_numpy().reshape(2, 2, 2)
    np.testing.assert_allclose(
        differences[:, 1] - differences[:, 0], table["difference"].to_numpy().reshape(2, 2, 2)[:, 1], atol=1e-12
    )


def test_numbers_are_those_of_the_command_line():
    script = (Path(__file__).parents[2] / "tests" / "cmd" / "bandit.trycmd").read_text()
    _, after = script.split("--runs 500 --score-noise 0.05 --json\n")
    printed, _ = json.JSONDecoder().raw_decode(after)
    rows = printed["cells"]
    table = tesuji.bandit("N:5", ["uniform", "shuss(t=100)", "ucb1"], 64, runs=500, score_noise=0.05)
    assert len(table) == len(rows) == 3
    for ours, row in zip(table, rows):
        # In JSON the standard error of the regret is called se.
        row.setdefault("regret_se", row.pop("se", None))
        for name in table.dtype.names:
            if name in row:
                assert ours[name] == row[name], name
            else:
                assert np.isnan(ours[name]), name


def test_regrets_that_are_known():
    """A sample of each of two arms that always and never pay says all."""
    table = tesuji.bandit([1.0, 0.0], "uniform", 2, runs=100, threads=1)
    assert table["regret"].tolist() == [0.0] and table["cumulative"].tolist() == [1.0]
    # Two equal arms: nothing to regret.
    assert tesuji.bandit("[0.5,0.5]", "sh", 10, runs=100)["p_wrong"].tolist() == [0.0]


def test_seeds_and_threads():
    def call(**options):
        return tesuji.bandit("N:10", ["sh", "shuss(t=10)"], 200, runs=250, **options)

    one = call(seed=7, threads=1, score_noise=0.1)
    assert one.tobytes() == call(seed=7, threads=2, score_noise=0.1).tobytes()
    assert not np.array_equal(one["regret"], call(seed=8, score_noise=0.1)["regret"])
    # Good scores help.
    sharp = call(seed=7, score_noise=0.01)["regret"]
    assert sharp[1] < sharp[0]


def test_what_cannot_be():
    for arguments, options, sentence in [
        (("1:5", "best", 10), {}, "'best' is not a policy"),
        (("1:5", [], 10), {}, "there is no policy: give at least one"),
        (("x:5", "sh", 10), {}, "x"),
        (("1:5", "sh", 0), {}, "a budget is from 1 to"),
        (("1:5", "sh", 10), {"runs": 0}, "the number of runs is from 1 to"),
        (("1:5", "sh", 10), {"score_rate": 1.0}, "score_rate needs score_noise"),
        (("1:5", "sh", 10), {"score_noise": -1.0}, "-1 is not a noise of scores"),
        (("1:5", "sh", 10), {"threads": 0}, "threads are from 1 to 1024, not 0"),
    ]:
        with pytest.raises(ValueError, match=sentence):
            tesuji.bandit(*arguments, **options)


def test_it_can_be_interrupted():
    threading.Timer(0.3, lambda: signal.raise_signal(signal.SIGINT)).start()
    begin = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        tesuji.bandit("N:80", "ucb1", 5_000, runs=10_000_000)
        time.sleep(5)
    assert time.monotonic() - begin < 20
