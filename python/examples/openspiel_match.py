"""Our bot against OpenSpiel's own tree search, at equal numbers of simulations.

    python openspiel_match.py breakthrough --player rave --games 100 --budget 1000
    python openspiel_match.py 'hex(board_size=9)' --player 'hybrid-shuss(t=512)'
    python openspiel_match.py chess --player uct --no-native --games 2 --budget 100

Both play each colour equally often. It prints the share of games that our bot won (a draw is
half a game) with Wilson's 95 % interval, and how many simulations each made in a second of
processor time.
"""

import argparse
import math
import random
import sys
import time

try:
    import pyspiel
except ImportError:
    sys.exit("This example needs OpenSpiel: pip install './python[openspiel]'")
from tesuji.openspiel import Bot, native_spec
from tesuji.progress import ProgressLine


def wilson(points: float, games: int) -> tuple[float, float]:
    """Return the 95 % interval of a share by Wilson (1927). Draws make it a little too wide."""
    z = 1.959964
    share = points / games
    middle = share + z * z / (2 * games)
    reach = z * math.sqrt(share * (1 - share) / games + z * z / (4 * games * games))
    scale = 1 + z * z / games
    return (middle - reach) / scale, (middle + reach) / scale


class Clock:
    """Simulations and the processor time they took."""

    def __init__(self) -> None:
        self.simulations = 0
        self.seconds = 0.0

    def step(self, bot: pyspiel.Bot, state: pyspiel.State, budget: int) -> int:
        """Return the bot's action. Our bot reports its simulations; theirs makes all."""
        begin = time.process_time()
        action: int = bot.step(state)
        self.seconds += time.process_time() - begin
        choice = bot.last_choice if isinstance(bot, Bot) else None
        self.simulations += budget if choice is None else choice.simulations
        return action

    def __str__(self) -> str:
        rate = self.simulations / self.seconds if self.seconds > 0 else math.nan
        return f"{rate:,.0f} simulations per second of processor time"


def play(state: pyspiel.State, bots: list[pyspiel.Bot], clocks: list[Clock], budget: int, dice: random.Random) -> float:
    """Play one game, and return the first player's points, from 0 to 1."""
    while not state.is_terminal():
        if state.is_chance_node():
            outcomes, weights = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(dice.choices(outcomes, weights)[0])
        else:
            player = state.current_player()
            state.apply_action(clocks[player].step(bots[player], state, budget))
    first, second = state.returns()
    return 0.5 if first == second else float(first > second)


def arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("game", help="a game of OpenSpiel, such as breakthrough or 'hex(board_size=9)'")
    parser.add_argument("--player", default="rave", help="our player (default: rave)")
    parser.add_argument("--games", type=int, default=100, help="an even number (default: 100)")
    parser.add_argument("--budget", type=int, default=1000, help="simulations a move, of both (default: 1000)")
    parser.add_argument("--uct-c", type=float, default=2.0, help="their exploration constant (default: 2)")
    parser.add_argument("--solve", action="store_true", help="they prove wins and losses")
    parser.add_argument("--no-native", action="store_true", help="our bot searches OpenSpiel's own state")
    parser.add_argument("--seed", type=int, default=1, help="of the first game (default: 1)")
    options = parser.parse_args()
    if options.games < 2 or options.games % 2:
        parser.error(f"games are an even number from 2, so that both play each colour equally, not {options.games}")
    if options.budget < 1:
        parser.error(f"the budget is at least one simulation, not {options.budget}")
    return options


def main() -> None:
    """Play the match and print it."""
    options = arguments()
    game = pyspiel.load_game(options.game)
    native = not options.no_native
    ours, theirs = Clock(), Clock()
    points, draws = [0.0, 0.0], 0
    progress = ProgressLine("games")
    for number in range(options.games):
        seed = options.seed + number
        seat = number % 2
        bot = Bot(game, seat, options.player, options.budget, seed=seed, native=native)
        evaluator = pyspiel.RandomRolloutEvaluator(1, seed)
        # Memory in MB is plenty; it prints nothing.
        other = pyspiel.MCTSBot(game, evaluator, options.uct_c, options.budget, 1000, options.solve, seed, False)
        bots, clocks = ([bot, other], [ours, theirs]) if seat == 0 else ([other, bot], [theirs, ours])
        first = play(game.new_initial_state(), bots, clocks, options.budget, random.Random(seed))
        points[seat] += first if seat == 0 else 1 - first
        draws += first == 0.5
        progress(number + 1, options.games)
    low, high = wilson(sum(points), options.games)
    rules = native_spec(game) if native else None
    print(f"{game}, {options.games} games, {options.budget} simulations a move, seeds from {options.seed}")
    print(f"{options.player} by {rules or 'the state of OpenSpiel'}")
    print(f"against MCTSBot, uct_c={options.uct_c:g}, solve={options.solve}, one random game a simulation")
    print(f"won {100 * sum(points) / options.games:.1f} % [{100 * low:.1f}, {100 * high:.1f}], draws {draws};")
    half = options.games // 2
    print(f"as first player {points[0]:g} of {half}, as second {points[1]:g} of {half}")
    print(f"ours: {ours}")
    print(f"theirs: {theirs}")


if __name__ == "__main__":
    main()
