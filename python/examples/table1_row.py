"""One row of a paper's table, reproduced: SHUSS Table 1, a game, all values of t'.

    python table1_row.py [GAME] [GAMES] [STORE]

Every number is a win rate of Hybrid-SHUSS against RAVE, with 10,000 playouts for each move. The
paper played 500 games for each number. With 20 games the intervals are wide, and the verdict says
so. Run it again with more games and the same store: it continues.
"""

import sys

import tesuji


def main() -> None:
    """Play the row, and print measured next to published."""
    game = sys.argv[1] if len(sys.argv) > 1 else "domineering:8"
    games = int(sys.argv[2]) if len(sys.argv) > 2 else 20
    path = sys.argv[3] if len(sys.argv) > 3 else "table1.db"

    experiment = tesuji.Experiment.read("shuss-table1", only=game, games=games)
    print(f"{experiment.title}: {len(experiment.cells)} cells of {game}, {experiment.games} games each")
    with tesuji.Store(path) as store:
        summary = experiment.run(store, progress=True)
        print(f"{summary['played']} games were played now, {summary['missing']} are missing")
        [found] = store.report(experiment.name)["experiments"]
        grids = found["whole"]["grids"]
    print(f"{'t prime':>10}{'measured, %':>11}{'95 % interval':>17}{'published, %':>14}  verdict")
    for cell in [cell for grid in grids for cell in grid["cells"] if cell["game"] == game]:
        low, high = 100 * cell["interval"]["low"], 100 * cell["interval"]["high"]
        measured = f"{cell['column']:>10}{100 * cell['rate']:11.1f}{low:9.1f} to {high:4.1f}"
        # Calibrated SHUSS, the last column, is not in the paper.
        if cell.get("published") is None:
            print(measured)
        else:
            print(f"{measured}{100 * cell['published']['rate']:14.1f}  {cell['comparison']['verdict']}")


if __name__ == "__main__":
    main()
