"""Experiments, stores and matches, against each other and against what pandas reads."""

import json
import pickle
import sqlite3
from pathlib import Path

import numpy as np
import pytest

import tesuji
from tesuji import Campaign, Experiment, Store

MATCHES = """
title = "Small"
seed = 3
games = 10
quick = { games = 4, only = ["hex:3"] }
rules = { random_plies = 1 }

[[grid]]
game = "{game}"
player = "uct@{budget}"
opponent = "rave@30"
each = [
  { name = "game", values = ["hex:3", "domineering:4"] },
  { name = "budget", values = [20, 40] },
]
"""

BANDITS = """
title = "Regrets"
paper = "none"
text = "x"
seed = 1
runs = 400
quick = 200

[[panel]]
title = "T"
arms = ["1:5", "A:5"]
lines = { label = "n", values = [10, 20] }
series = [{ name = "a", policy = "sh" }, { name = "b", policy = "uniform" }]
"""


def rows(path: Path) -> list[tuple]:
    """Every row of every table that is a function of an address."""
    with sqlite3.connect(path) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        tables = ("experiments", "cells", "games", "regrets")
        return [
            (table, *row) for table in tables for row in sorted(connection.execute(f"SELECT * FROM {table}"))
        ]


def test_what_an_experiment_says_of_itself():
    experiment = Experiment.parse(MATCHES, "small")
    assert (experiment.name, experiment.title, experiment.kind) == ("small", "Small", "matches")
    assert (experiment.games, len(experiment.cells), len(experiment.address)) == (10, 4, 32)
    assert experiment.cells.dtype.names == ("id", "key", "game", "player", "opponent")
    assert experiment.cells["key"][0] == "hex:3: uct@20 against rave@30"
    assert Experiment.parse(MATCHES, "other").address != experiment.address
    quick = Experiment.parse(MATCHES, "small", quick=True)
    assert (quick.games, len(quick.cells)) == (4, 2)
    assert len(Experiment.parse(MATCHES, "small", only="domineering:4 @20").cells) == 1
    assert len(Experiment.parse(MATCHES, "small", only=["hex:3 @20", "domineering:4 @40"]).cells) == 2
    bandits = Experiment.parse(BANDITS, "regrets")
    assert (bandits.kind, bandits.games, len(bandits.cells)) == ("bandits", 400, 8)


def test_bad_input_is_a_sentence(tmp_path):
    for wrong, sentence in [
        (lambda: Experiment.parse("x ="), "cannot read the experiment experiment: line 1"),
        (lambda: Experiment.read(tmp_path / "none.toml"), "cannot read"),
        (lambda: Experiment.parse(MATCHES, only="go:9"), "none of the 4 cells of experiment has 'go:9'"),
        (lambda: Experiment.parse(BANDITS, only="go:9"), "only is for matches"),
        (lambda: Experiment.parse(MATCHES).run(tmp_path / "a.db", shard="3/2"), "'3/2' is not a shard"),
        (lambda: Experiment.parse(MATCHES).run(tmp_path / "no" / "a.db"), "its folder does not exist"),
        (lambda: Store(tmp_path / "none.db").games(), "there is no store"),
        (lambda: tesuji.match("hex:3", "nobody", "random"), "nobody"),
        (lambda: tesuji.match("hex:3", "random", "random", games=0), "games are from 1 to"),
    ]:
        with pytest.raises(ValueError, match=sentence):
            wrong()


def test_a_pickled_experiment_plays_the_same_games(tmp_path):
    path = tmp_path / "small.toml"
    path.write_text(MATCHES)
    for experiment in (Experiment.read(path, only="hex:3"), Experiment.parse(BANDITS, "regrets", quick=True)):
        again = pickle.loads(pickle.dumps(experiment))
        assert (again.address, again.games, repr(again)) == (
            experiment.address,
            experiment.games,
            repr(experiment),
        )
        # What was played when differs; games do not.
        results = [json.loads(each.work_on((1, [0, 3]))) for each in (experiment, again)]
        games = [result if again.kind == "bandits" else [game["ending"]["played"]["game"] for game in result] for result in results]
        assert games[0] == games[1]


def test_runs_go_on_and_shards_are_merged(tmp_path):
    experiment = Experiment.parse(MATCHES, "small")
    told = []
    whole = experiment.run(tmp_path / "whole.db", threads=2, progress=lambda *so_far: told.append(so_far))
    assert whole == {"played": 40, "voids": 0, "missing": 0}
    assert told[-1] == (40, 40)
    assert experiment.run(tmp_path / "whole.db")["played"] == 0
    for number in (1, 2):
        experiment.run(tmp_path / f"{number}.db", shard=f"{number}/2", threads=1)
    merged = Store(tmp_path / "merged.db")
    counts = merged.merge(tmp_path / "1.db", tmp_path / "2.db")
    assert [count["games"] for count in counts] == [24, 16]
    assert merged.merge(tmp_path / "2.db") == [{"games": 0, "known": 16, "paused": 0, "regrets": 0}]
    assert rows(tmp_path / "merged.db") == rows(tmp_path / "whole.db")
    with pytest.raises(ValueError, match="into itself"):
        merged.merge(tmp_path / "merged.db")


def test_a_progress_that_raises_ends_the_run(tmp_path):
    def refuse(done, wanted):
        raise LookupError("enough")

    experiment = Experiment.parse(MATCHES.replace("games = 10", "games = 100000"), "small")
    with pytest.raises(LookupError):
        experiment.run(tmp_path / "a.db", progress=refuse)
    assert len(Store(tmp_path / "a.db").games()) < 400_000


def test_a_campaign_leaves_the_rows_of_a_run(tmp_path):
    for text, name in ((MATCHES, "small"), (BANDITS, "regrets")):
        experiment = Experiment.parse(text, name)
        experiment.run(tmp_path / f"{name}.db", threads=1)
        campaign = Campaign(experiment, tmp_path / f"{name}-campaign.db", workers=2)
        seen = 0
        while (task := campaign.next(3)) is not None:
            seen += 1
            if seen % 3 == 0:
                campaign.lost(task)
            elif seen % 4 == 0 and task[1]:
                # A part came back.
                campaign.take(task, experiment.work_on((task[0], task[1][:1])))
            else:
                campaign.take(task, experiment.work_on(task))
        done, wanted = campaign.progress
        assert done == wanted and campaign.summary["missing"] == 0
        assert rows(tmp_path / f"{name}-campaign.db") == rows(tmp_path / f"{name}.db")


def paused_plies(path: Path) -> list[int]:
    """The number of moves of each paused game."""
    with sqlite3.connect(path) as connection:
        return [plies for (plies,) in connection.execute("SELECT plies FROM paused")]


def test_paused_games_are_continued(tmp_path):
    grid = '[[grid]]\ngame = "hex:5"\nplayer = "uct@4000"\nopponent = "rave@4000"\n'
    experiment = Experiment.parse(f'title = "Long"\nseed = 3\ngames = 3\n{grid}', "long")
    experiment.run(tmp_path / "whole.db", threads=1)
    for name in ("run", "campaign"):
        store = tmp_path / f"{name}.db"
        # A run of a moment pauses its game, unless it gets no processor in that moment.
        runs = (experiment.run(store, threads=1, time=0.02) for _ in range(20))
        next(_ for _ in runs if paused_plies(store))
        assert paused_plies(store) > [0]
        if name == "run":
            experiment.run(store, threads=1)
        else:
            campaign = Campaign(experiment, store)
            tasks = list(iter(campaign.next, None))
            paused = [campaign.paused(task) for task in tasks]
            assert [games is not None for games in paused].count(True) == 1
            for task, games in zip(tasks, paused, strict=True):
                campaign.take(task, experiment.work_on(task, games))
        assert paused_plies(store) == []
        assert rows(store) == rows(tmp_path / "whole.db")
    with pytest.raises(ValueError, match="paused is what Campaign.paused returns"):
        experiment.work_on((0, [0]), b"nonsense")


def test_a_campaign_refuses_what_it_did_not_give_out(tmp_path):
    experiment = Experiment.parse(MATCHES, "small")
    campaign = Campaign(experiment, tmp_path / "a.db")
    task = campaign.next(1)
    other = Experiment.parse(MATCHES, "other").work_on(task)
    with pytest.raises(ValueError, match="was not given out"):
        campaign.take(task, other)
    with pytest.raises(ValueError):
        campaign.take(task, b"nonsense")
    with pytest.raises(ValueError, match="there is no cell 9"):
        experiment.work_on((9, [0]))


def test_tables_are_ready_for_pandas(tmp_path):
    pandas = pytest.importorskip("pandas")
    path = tmp_path / "both.db"
    Experiment.parse(MATCHES, "small").run(path, threads=1)
    Experiment.parse(BANDITS, "regrets").run(path, threads=1)
    with Store(path) as store:
        assert store.experiments()["name"].tolist() == ["regrets", "small"]
        assert store.experiments()["games"].tolist() == [0, 40]
        games = pandas.DataFrame(store.games("small"))
        assert len(games) == 40 and set(games["side"]) == {"black", "white"}
        assert games["points"].between(0, 1).all() and (games["opening"] == 1).all()
        assert games["moves"][0].split()[0] and games["plies"][0] == len(games["moves"][0].split())
        assert len(pandas.DataFrame(store.voids())) == 0
        regrets = pandas.DataFrame(store.regrets())
        assert len(regrets) == 8 and (regrets["runs"] == 400).all()
        assert len(store.cells()) == 4
        report = store.report("small")
        assert report["experiments"][0]["whole"]["name"] == "small"
        with pytest.raises(ValueError, match="has no experiment 'x': it has regrets, small"):
            store.games("x")


def test_a_match(tmp_path):
    store = tmp_path / "m.db"
    result = tesuji.match("hex:3", "uct@60", "random", games=30, store=store)
    assert result.wins + result.losses + result.draws == 30 == len(result.games)
    low, high = result.interval
    assert low < result.rate <= high and result.elo > 0
    assert "uct@60 against random" in str(result)
    # It goes on where it stopped, and fewer games are the first ones.
    assert len(tesuji.match("hex:3", "uct@60", "random", games=40, store=store).games) == 40
    fewer = tesuji.match(tesuji.Game("hex:3"), "uct@60", "random", games=30, store=store, threads=1)
    assert np.array_equal(fewer.games["moves"], result.games["moves"])
    opened = tesuji.match("hex:3", "uct@60", "random", games=4, openings=["b2", "a1 b1"])
    assert [moves.split()[0] for moves in opened.games["moves"]] == ["b2", "b2", "a1", "a1"]


def test_intervals_are_ranges():
    result = tesuji.match("hex:3", "uct@20", "uct@20", games=40)
    low, high = result.elo_interval
    assert low < result.elo < high
    assert result.nelo_interval[0] < result.nelo < result.nelo_interval[1]
    written = f"{result.elo:.1f} ({low:.1f} to {high:.1f})".replace("-", "−")
    assert repr(result).endswith(f", Elo {written})")
    for text in (str(result), result._repr_html_()):
        assert written in text and "±" not in text
    # If one side wins all games, there is no interval.
    certain = tesuji.match("hex:5", "uct@300", "random", games=4)
    assert (certain.wins, certain.elo) == (4, float("inf")) and all(np.isnan(certain.elo_interval))
    assert repr(certain).endswith("+4 -0 =0, Elo ∞)")


def test_comparisons_are_those_of_json(tmp_path):
    (tmp_path / "published.csv").write_text("game,20,40\nhex,50,99\ndomineering,50,50\n")
    (tmp_path / "small.toml").write_text(
        MATCHES
        + """
[grid.published]
file = "published.csv"
row = { game = "{game.name}" }
column = "{budget}"
full = 100
games = 500
"""
    )
    store = Store(tmp_path / "published.db")
    Experiment.read(tmp_path / "small.toml").run(store)
    Experiment.read("voi-figure1", runs=50).run(store)
    kinds = {each["kind"]: each for each in store.report()["experiments"]}
    assert set(kinds) == {"bandits", "matches"}
    for parts, most in ((kinds["matches"]["whole"]["grids"], 4), (kinds["bandits"]["results"]["panels"], 44)):
        compared = [cell["comparison"] for part in parts for cell in part["cells"] if cell.get("comparison")]
        assert len(compared) == most
        for comparison in compared:
            low, high = comparison["interval"]["low"], comparison["interval"]["high"]
            assert low <= comparison["difference"] <= high
            assert comparison["verdict"] in ("agrees", "off", "differs", "open")
            assert comparison["to_decide"] is None or comparison["verdict"] == "open"
        # Ten games or fifty runs do not decide much.
        assert any(comparison["to_decide"] for comparison in compared)


def test_a_campaign_takes_only_what_it_gave_out(tmp_path: Path):
    experiment = Experiment.parse(MATCHES, "small")
    campaign = Campaign(experiment, tmp_path / "c.db")
    first = campaign.next(2)
    other = (1, first[1])
    with pytest.raises(ValueError, match="a game came back that was not given out"):
        campaign.take(first, experiment.work_on(other))
    with pytest.raises(ValueError, match="a game came back that was not given out"):
        campaign.lost((77, [77]))
    result = experiment.work_on(first)
    campaign.take(first, result)
    for again in (lambda: campaign.take(first, result), lambda: campaign.lost(first)):
        with pytest.raises(ValueError, match="a game came back that was not given out"):
            again()
    assert campaign.progress[0] == 2


PLAYERS = ["uct@30", "rave@30", "random"]


def test_a_tournament(tmp_path):
    store = tmp_path / "t.db"
    result = tesuji.tournament("hex:3", PLAYERS, games_each=10, random_plies=1, store=store, threads=1)
    assert (result.games, result.schedule, result.played) == (["hex:3"], "round-robin", 30)
    ratings = result.ratings
    assert sorted(ratings["label"]) == sorted(PLAYERS)
    assert ratings["rank"].tolist() == [1, 2, 3] and (np.diff(ratings["elo"]) <= 0).all()
    assert abs(ratings["elo"].sum()) < 1e-6 and (ratings["low"] < ratings["elo"]).all()
    assert (ratings["games"] == 20).all() and ratings["points"].sum() == 30
    # What one wins, the other one loses.
    assert np.array_equal(result.crosstable + result.crosstable.T, result.crosstable_games)
    assert result.crosstable.sum(axis=1).tolist() == ratings["points"].tolist()
    above = result.superiority[~np.eye(3, dtype=bool)]
    assert np.allclose((result.superiority + result.superiority.T)[~np.eye(3, dtype=bool)], 1) and (above > 0).all()
    assert np.isnan(np.diag(result.superiority)).all()
    assert np.allclose(ratings["error"], 1.959964 * np.sqrt(np.diag(result.covariance)), atol=1e-3)
    assert np.linalg.eigvalsh(result.covariance).min() > -1e-6
    assert result.advantages["game"].tolist() == ["hex:3"] and result.advantages["games"][0] == 30
    assert "Crosstable" not in repr(result) and "3 players, 30 games" in repr(result)
    assert str(result).startswith("3 players on hex:3\n")
    assert "95 % interval" in result._repr_html_() and result.to_frame().shape == (3, 16)
    # It continues in the store, and plays the same games on any number of threads.
    assert tesuji.tournament("hex:3", PLAYERS, games_each=10, random_plies=1, store=store) == result
    assert tesuji.tournament("hex:3", PLAYERS, games_each=10, random_plies=1, threads=2) == result
    assert pickle.loads(pickle.dumps(result)) == result
    whole = Store(store).report()["experiments"][0]["whole"]
    assert whole["tournament"]["overall"]["players"][0]["elo"] == ratings["elo"][0]


def test_tournaments_of_several_games_and_schedules():
    named = {"tree": "uct", "amaf": "rave", "nobody": "random"}
    both = tesuji.tournament(
        [tesuji.Game("hex:3"), "breakthrough:2x4"], named, games_each=4, budget=20, anchor="nobody", anchor_elo=500
    )
    assert set(both.ratings["label"]) == set(named) and list(both.by_game) == ["hex:3", "breakthrough:2x4"]
    assert both.ratings["elo"][both.ratings["label"] == "nobody"] == 500
    assert both.answer is None and both.doubt is None
    swiss = tesuji.tournament("hex:3", PLAYERS, games_each=2, schedule="swiss", rounds=2)
    assert swiss.played == 4
    sure = tesuji.tournament(
        "hex:4", ["uct@60", "random"], schedule="widest", ask="first", until="95%", total=2000, random_plies=1
    )
    assert sure.answer == "uct@60" and sure.doubt <= 0.05 and sure.played < 2000


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("hex:3", ["uct"]), "from 2 to 200 players, not 1"),
        (("hex:3", ["uct", "uct"]), "is named twice"),
        (("hex:3", ["uct", "random"], {"games_each": 3}), "an even number"),
        (("hex:3", ["uct", "random"], {"schedule": "knockout"}), "'knockout' is not a schedule"),
        (("hex:3", ["uct", "random"], {"rounds": 2}), "rounds is for the schedule swiss"),
        (("hex:3", ["uct", "random"], {"anchor": "rave"}), "there is no player 'rave'"),
        (("hex:3", ["uct", "random"], {"schedule": "widest", "ask": "first", "within": 5}), "within is for"),
    ],
)
def test_wrong_tournaments_are_refused(arguments, sentence):
    games, players, *options = arguments
    with pytest.raises(ValueError, match=sentence):
        tesuji.tournament(games, players, **(options[0] if options else {}))


def test_players_are_a_list():
    with pytest.raises(TypeError, match="a list of players"):
        tesuji.tournament("hex:3", "uct")


SWISS = """
title = "Swiss"
seed = 1
games = 4
rules = { random_plies = 1 }
[tournament]
game = "hex:3"
players = ["uct@30", "rave@30", "random", "greedy"]
schedule = "swiss"
rounds = 3
"""


def test_a_campaign_gives_out_a_tournament_round_by_round(tmp_path):
    experiment = Experiment.parse(SWISS, "swiss")
    serial = tmp_path / "serial.db"
    assert experiment.run(serial, threads=1)["played"] == 24
    campaign = tesuji.Campaign(experiment, tmp_path / "campaign.db")
    rounds = 0
    while True:
        tasks = list(iter(lambda: campaign.next(3), None))
        if not tasks:
            break
        rounds += 1
        # The next round is not known before the last game of this one.
        for task in tasks:
            assert campaign.next() is None
            campaign.take(task, experiment.work_on(task))
    assert rounds == 3 and campaign.progress == (24, 24)
    assert rows(tmp_path / "campaign.db") == rows(serial)
    with pytest.raises(ValueError, match="it has no shards"):
        experiment.run(tmp_path / "shard.db", shard="1/2")
