"""Searches from Python: the same as elsewhere, without the GIL, ended by Ctrl-C."""

import os
import pickle
import re
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tesuji

PLAYERS = ["uct", "rave", "grave", "sh+uct", "hybrid-shuss(t=128)", "shot", "flat(sh)", "ect+uct", "puct"]


@given(player=st.sampled_from(PLAYERS), budget=st.integers(30, 3000), seed=st.integers(0, 2**64 - 1))
@settings(max_examples=40, deadline=None)
def test_a_decision_adds_up(player: str, budget: int, seed: int) -> None:
    position = tesuji.Position("hex:4", "b2")
    one = tesuji.search(position, player, budget, seed=seed, threads=1)
    two = tesuji.search(position, player, budget, seed=seed, threads=2)
    assert one.move == two.move
    # Numbers that are not there are nan, which equals nothing: bytes tell.
    assert one.arms.tobytes() == two.arms.tobytes()
    assert one.rounds.tobytes() == two.rounds.tobytes()
    assert one.spent == budget == one.budget and one.stop is None
    arms = one.arms
    assert arms["move"].tolist() == position.search_moves()
    assert arms["visits"].sum() == budget
    assert one.chosen is not None and arms["move"][one.chosen] == one.move
    means = arms["mean"][arms["visits"] > 0]
    assert ((means >= 0) & (means <= 1)).all()
    assert sorted(one.ranking()) == list(range(len(arms))) and one.ranking()[0] == one.chosen


def test_rounds_of_halving() -> None:
    decision = tesuji.search(tesuji.Position("hex:4"), "sh+uct", 2000)
    rounds = decision.rounds
    assert rounds.dtype.names == ("round", "arm", "move", "samples_each", "q", "mean", "bonus", "kept")
    assert [int((rounds["round"] == index).sum()) for index in range(1, 5)] == [16, 8, 4, 2]
    assert rounds["samples_each"].sum() == 2000
    last = rounds[rounds["kept"] & (rounds["round"] == 4)]
    assert last["move"].tolist() == [decision.move]
    assert tesuji.search(tesuji.Position("hex:4"), "uct", 100).rounds.size == 0


def test_a_report_has_the_names_of_the_arrays() -> None:
    decision = tesuji.search(tesuji.Position("hex:4"), "shuss(t=64)+rave", 2000)
    report = decision.report()
    assert (report["move"], report["chosen"]) == (decision.move, decision.chosen)
    assert (report["budget"], report["spent"], report["stop"]) == (2000, 2000, None)
    assert len(report["arms"]) == len(decision.arms)
    for arm, row in zip(report["arms"], decision.arms):
        amaf = arm.pop("amaf") or {"count": 0, "mean": None}
        arm |= {"amaf_count": amaf["count"], "amaf_mean": amaf["mean"]}
        # The improved policy is a network's alone.
        arm.setdefault("policy", None)
        assert set(arm) == set(row.dtype.names)
        for name, value in arm.items():
            assert row[name] == value or (value is None and (row[name] == "" or np.isnan(row[name]))), name
    ranked = [(one["move"], one["q"]) for entry in report["rounds"] for one in entry["ranking"]]
    assert ranked == [(row["move"], row["q"]) for row in decision.rounds]
    stop = tesuji.search(tesuji.Position("hex:2"), "uct+solver", 1000).report()["stop"]
    assert stop["reason"] == "proved" and stop["outcome"] in ("black", "white")


def test_a_game_that_is_over_has_no_move() -> None:
    decision = tesuji.search(tesuji.Position("hex:3").played_out())
    assert decision.move is None and decision.arms.size == 0
    assert repr(decision) == "<Decision: the game is over>"


def test_a_decision_prints_as_on_the_command_line() -> None:
    text = str(tesuji.search(tesuji.Position("hex:3"), "sh+uct", 500))
    assert "visits" in text and "Rounds, 9→5→3→2→1" in text


def test_a_player_keeps_its_tree_only_if_it_says_so() -> None:
    position = tesuji.Position("hex:5")
    player = tesuji.Player("uct+reuse", 2000)
    first = player.search(position)
    after = position.play(first.move)
    reply = after.play(after.legal_moves()[0])
    kept = player.search(reply)
    player.forget()
    fresh = player.search(reply)
    assert kept.nodes > fresh.nodes
    assert tesuji.Player("uct", 2000).search(reply).arms.tobytes() == fresh.arms.tobytes()


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("xyz", 100), "'xyz' is not"),
        (("uct", 0), "'0' is not a budget"),
        (("uct", -5), "'-5' is not a budget"),
        (("uct", "soon"), "'soon' is not a budget"),
        (("puct(prior=leaf)", 10), "puct(prior=leaf) needs a leaf"),
    ],
)
def test_errors_are_the_command_lines_sentences(arguments: tuple[str, int | str], sentence: str) -> None:
    with pytest.raises(ValueError) as error:
        tesuji.search(tesuji.Position("hex:3"), *arguments)
    assert sentence in str(error.value)
    with pytest.raises(ValueError, match="this player does not play phantom-go:5"):
        tesuji.search(tesuji.Position("phantom-go:5"), "uct")
    with pytest.raises(ValueError, match="threads are from 1 to 1024"):
        tesuji.search(tesuji.Position("hex:3"), threads=0)


def ticks_during_a_search() -> int:
    done = threading.Event()

    def think() -> None:
        tesuji.search(tesuji.Position("go:9"), "uct", "300ms")
        done.set()

    thread = threading.Thread(target=think)
    thread.start()
    ticks = 0
    while not done.is_set():
        time.sleep(0.005)
        ticks += 1
    thread.join()
    return ticks


def test_the_gil_is_released() -> None:
    # With the GIL held this thread would always tick once or twice. A busy machine may give it no
    # processor, but not always.
    assert any(ticks_during_a_search() > 10 for _ in range(5))


def test_one_search_at_a_time() -> None:
    player = tesuji.Player("uct")
    thinking, tried = threading.Event(), threading.Event()

    def hold(done: int, wanted: int) -> None:
        thinking.set()
        tried.wait(20)

    thread = threading.Thread(target=lambda: player.search(tesuji.Position("go:9"), 100_000, progress=hold))
    thread.start()
    try:
        assert thinking.wait(20)
        with pytest.raises(RuntimeError, match="thinking already"):
            player.search(tesuji.Position("go:9"), 10)
    finally:
        tried.set()
        thread.join()


@pytest.mark.parametrize(
    "work",
    [
        "tesuji.search(tesuji.Position('go:19'), 'sh+uct', 2**24)",
        "tesuji.search(tesuji.Position('go:9'), 'uct', '60s')",
        "tesuji.search(Endless(), 'uct', 1000)",
    ],
)
def test_interrupts_are_heard(work: str) -> None:
    program = f"""
import tesuji
class Endless:
    to_move = "black"
    def legal_moves(self): return [1, 2]
    def play(self, move): return Endless()
    def outcome(self): return None
print("begun", flush=True)
try:
    {work}
except KeyboardInterrupt:
    print("heard", flush=True)
"""
    child = subprocess.Popen([sys.executable, "-P", "-c", program], stdout=subprocess.PIPE, text=True)
    assert child.stdout is not None
    assert child.stdout.readline() == "begun\n"
    time.sleep(0.3)
    os.kill(child.pid, signal.SIGINT)
    begin = time.monotonic()
    assert child.communicate(timeout=20)[0] == "heard\n"
    assert child.returncode == 0
    assert time.monotonic() - begin < 5


def test_arms_are_ready_for_numpy() -> None:
    arms = tesuji.search(tesuji.Position("hex:3"), "rave", 500).arms
    assert arms["move"].dtype.kind == "U"
    assert arms["mean"].dtype == np.float64
    assert np.isnan(arms["score"]).all()
    assert set(arms["proof"]) == {""}
    proved = tesuji.search(tesuji.Position("domineering:3"), "uct+solver", 20000)
    assert set(proved.arms["proof"]) <= {"", "black", "white"} and set(proved.arms["proof"]) != {""}


@pytest.mark.parametrize(
    ("call", "error", "sentence"),
    [
        (lambda p: tesuji.search(p, "uct", 1.5), TypeError, "expected a budget: a whole number of samples, or a time"),
        (lambda p: tesuji.search(p, "uct", 2**200), ValueError, "is not a budget"),
        (lambda p: tesuji.search(p, seed=-1), ValueError, "a seed is a whole number from 0 to"),
        (lambda p: tesuji.search(p, seed=None), TypeError, "expected a seed"),
        (lambda p: tesuji.search(p, threads=-1), ValueError, "-1 is not a number that is allowed here"),
        (lambda p: tesuji.Position(7), TypeError, "expected a Game, or its spec"),
        (lambda p: p.perft(-1), ValueError, "-1 is not a number that is allowed here"),
        (lambda p: tesuji.match("hex:3", "random", "random", games=-1), ValueError, "-1 is not a number"),
        (lambda p: tesuji.match("hex:3", "random", "random", store=""), ValueError, "a store is a file, and its path"),
        (lambda p: tesuji.match("hex:3", "random", "random", store=7), TypeError, "expected a Store, or the path"),
    ],
)
def test_arguments_of_the_wrong_kind(call: object, error: type[Exception], sentence: str) -> None:
    assert callable(call)
    with pytest.raises(error) as raised:
        call(tesuji.Position("hex:3"))
    assert sentence in str(raised.value) and "\n" not in str(raised.value)


def test_a_spec_stands_for_the_start_of_its_game() -> None:
    wanted = tesuji.search(tesuji.Position("hex:4"), "uct", 300)
    assert tesuji.search("hex:4", "uct", 300) == wanted == tesuji.search(tesuji.Game("Hex:4"), "uct", 300)
    assert tesuji.Player("uct").search("hex:4", 300) == wanted
    assert wanted.position == tesuji.Position("hex:4")
    assert tesuji.perft("hex:4", 2) == tesuji.perft(tesuji.Game("hex:4"), 2) == tesuji.Position("hex:4").perft(2) == 240
    with pytest.raises(TypeError, match="expected a Position, a Game, or its spec such as 'go:9', not int"):
        tesuji.perft(7, 2)


@pytest.mark.parametrize("spec", ["hxe:5", "hex:99", "hex:5(swop=on)", ""])
def test_a_bad_spec_is_the_sentence_of_the_game(spec: str) -> None:
    with pytest.raises(ValueError) as known:
        tesuji.Game(spec)
    for call in (tesuji.search, tesuji.Player("uct").search, tesuji.Position, lambda spec: tesuji.perft(spec, 1)):
        with pytest.raises(ValueError) as raised:
            call(spec)
        assert str(known.value) in str(raised.value)


def test_a_players_own_budget_wins() -> None:
    assert tesuji.search("hex:4", "uct@70", 300).spent == 70
    assert tesuji.Player("uct@70").search("hex:4", 300).spent == 70
    assert tesuji.Player("uct@70", 300).spec == "uct@70" and tesuji.Player("uct", 300).spec == "uct@300"
    assert tesuji.Player("uct", 300).search("hex:4", 70).spent == 300
    assert tesuji.search("hex:4", "uct").spent == 10_000
    match = tesuji.match("hex:3", "uct@50", "uct", games=2, budget=70)
    assert match.games["player"][0] == "uct@50" and match.games["opponent"][0] == "uct@70"
    assert tesuji.match("hex:2", "uct", "random", games=1).player == "uct@10000"


@pytest.mark.parametrize("player", [*PLAYERS, "random", "uct+solver", "rave+trees(2)"])
def test_a_search_is_steered(player: str) -> None:
    only = tesuji.search("hex:4", player, 300, only="b2 c3,d1", avoid=["d1"])
    assert only.arms["move"].tolist() == ["b2", "c3"] and only.move in ("b2", "c3")
    everything = tesuji.search("hex:4", player, 300, only=tesuji.Position("hex:4").search_moves())
    assert everything == tesuji.search("hex:4", player, 300)
    if player == "random":
        return
    focused = tesuji.search("hex:4", player, 300, focus="c3", focus_budget=200)
    assert focused.focused == [("c3", 200)] and focused.spent == 500
    more = focused.arms["visits"].astype(int) - everything.arms["visits"].astype(int)
    assert more.sum() == 200 and focused.arms["move"][more.argmax()] == "c3"
    assert focused.report()["focused"] == [{"move": "c3", "samples": 200}]
    assert tesuji.search("hex:4", player, 300, focus=["c3", "a1"]).focused == [("c3", 300), ("a1", 300)]
    assert pickle.loads(pickle.dumps(focused)) == focused


def test_steering_is_refused_in_the_command_lines_sentences() -> None:
    for arguments, sentence in (
        ({"only": []}, "no move is left to search: all 9 moves of this position are excluded"),
        ({"only": "z9"}, "'z9' is not a legal move here"),
        ({"focus": "a1", "avoid": "a1"}, "'a1' cannot be focused on, because the search may not choose it"),
        ({"only": 7}, "'only' is a text or a list of texts, not int"),
        ({"focus_budget": 5}, "'focus_budget' is only for searches with a 'focus'"),
    ):
        with pytest.raises(ValueError, match=re.escape(sentence)):
            tesuji.search("hex:3", "uct", 50, **arguments)  # type: ignore[call-overload]


def test_budgets_change_with_the_number_of_the_move() -> None:
    player = tesuji.Player("uct@90 x 1, 50")
    assert player.spec == "uct@90x1,50"
    position = tesuji.Position("hex:4")
    spent = []
    for _ in range(4):
        decision = player.search(position)
        spent.append(decision.spent)
        position = position.play(decision.move)
    assert spent == [90, 90, 50, 50]
    assert tesuji.search(position, "uct", "7x3,9").spent == 7
    match = tesuji.match("hex:3", "uct@90x1,50", "uct@20", games=2)
    assert match.player == "uct@90x1,50"
    with pytest.raises(ValueError, match="steps are written as in 20000x10,5000"):
        tesuji.search("hex:3", "uct@20,000")


def test_a_search_stops_when_it_is_sure() -> None:
    sure = tesuji.search("hex:3", "sh+uct", 100_000, until=0.95, within=0.02)
    assert sure.stop is not None and sure.stop.reason == "sure"
    assert sure.spent < 100_000
    assert sure.confidence is not None and 0.95 <= sure.confidence == sure.stop.confidence
    # A player's own option wins.
    own = tesuji.search("hex:3", "sh+uct+until(95%,within=0.02)", 100_000, until=0.99)
    assert own == sure
    assert tesuji.search("hex:3", "random").confidence is None
    with pytest.raises(ValueError, match="above 0.5 and below 1"):
        tesuji.search("hex:3", "uct", 100, until=95)
    with pytest.raises(ValueError, match="without until"):
        tesuji.search("hex:3", "uct", 100, within=0.1)
