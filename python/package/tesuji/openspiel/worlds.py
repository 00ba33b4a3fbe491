"""Games with dice or cards: several worlds, in each of which every chance is settled.

A budget is shared out among the worlds, each is searched by itself, and the samples of
all are added up; the action with the most samples in all worlds is played. Within a
world both sides know the dice as far as the tree reaches, and play for them (Long et al.
2010 call it strategy fusion). That works well if the best action now depends
little on much later rolls, as in backgammon, and less well if the risk of the next roll is all
that matters, as in pig. Random games beyond the tree roll their own dice, and
many worlds of few samples have shallow trees, so most of what is added up is honest.
"""

from typing import Final

import pyspiel

from tesuji._tesuji import Player
from tesuji.openspiel.choice import Arm, Choice, arms_of, policy
from tesuji.openspiel.seeds import derived_seed
from tesuji.openspiel.state import StatePosition

#: Worlds of a search, if it has samples enough for them.
WORLDS: Final = 16

#: The least samples of a world for each legal action; with a smaller budget there are fewer worlds.
#: With less, a world is noise: 64 worlds of five samples lost two games of three at
#: Einstein würfelt nicht to OpenSpiel's search, and 4 to 32 worlds held their own (both with ``uct``).
SAMPLES_AN_ACTION: Final = 4


def search_worlds(player: Player, budget: int, state: pyspiel.State, seed: int) -> Choice:
    """Search several worlds in turn and add up their samples.

    Parameters
    ----------
    player : Player
        A player without a budget of its own.
    budget : int
        The samples of all worlds together.
    state : pyspiel.State
        The state.
    seed : int
        The seed of the search.

    Returns
    -------
    Choice
        The action with the most samples.
    """
    enough = SAMPLES_AN_ACTION * len(state.legal_actions())
    worlds = max(1, min(WORLDS, budget // enough))
    share, over = divmod(budget, worlds)
    visits: dict[int, int] = {}
    rewards: dict[int, float] = {}
    simulations, seconds = 0, 0.0
    for world in range(worlds):
        # What was learnt in another world is not true in this one.
        player.forget()
        own = derived_seed(seed, "world", world)
        position = StatePosition(state, world=own)
        decision = player.search(position, share + (world < over), seed=own, threads=1)
        for arm in arms_of(decision, int):
            # Players that do not search sample nothing: each of their worlds is a vote.
            vote = int(decision.spent == 0 and arm.action == decision.move)
            visits[arm.action] = visits.get(arm.action, 0) + arm.visits + vote
            if arm.visits:
                rewards[arm.action] = rewards.get(arm.action, 0.0) + arm.visits * arm.mean
        simulations += decision.spent
        seconds += decision.seconds
    arms = [
        Arm(action, count, rewards.get(action, 0.0) / max(1, count)) for action, count in visits.items()
    ]
    chosen = max(arms, key=lambda arm: (arm.visits, arm.mean))
    here = state.clone()

    def text() -> str:
        names = {arm: here.action_to_string(here.current_player(), arm.action) for arm in arms}
        ranked = sorted(arms, key=lambda arm: (-arm.visits, -arm.mean))
        lines = [f"{names[arm]}: {arm.visits} samples, mean {arm.mean:.4f}" for arm in ranked]
        return "\n".join([f"{worlds} worlds", *lines])

    return Choice(
        action=chosen.action,
        simulations=simulations,
        seconds=seconds,
        native=False,
        make_policy=lambda: policy(player, arms, chosen.action, here.legal_actions()),
        make_text=text,
    )
