"""An opening book for Phantom Go, learnt by choosing random seeds.

A player with its random seed fixed is deterministic, and some seeds are better than others.
All seeds play against each other; a mixture of the best of them is the book.
"""

import tempfile
from pathlib import Path

from tesuji import portfolio

GAME = "phantom-go:5(komi=3.5)"
PLAYER = "flat(uniform)@60"


def main(seeds=40):
    """Learn a book, show it, and test the ways of learning one."""
    with tempfile.TemporaryDirectory() as folder:
        store = Path(folder) / "seeds.db"
        matrix = portfolio.seed_matrix(GAME, PLAYER, seeds, store=store, progress=True)
        print(f"{matrix.size} games of {seeds} seeds for each side: Black wins {matrix.mean():.1%}")

        # The games are in the store, and are not played again.
        book = portfolio.Book.learn(GAME, PLAYER, seeds, method="nash", store=store)
        print(f"In equilibrium Black wins {portfolio.solve(matrix).value:.1%}\n\n{book}")
        for choice, opening in list(zip(book.black, book.openings("black")))[:5]:
            print(f"  Black's seed {choice['number']:3}  {choice['weight']:6.1%}  {' '.join(opening)}")

        file = Path(folder) / "book.json"
        book.save(file)
        print(f"\nThe file, {file.stat().st_size} bytes, plays matches: portfolio(\"{file.name}\")")

    print("\nWin rate against the best of 1, 2, 4 and 8 seeds that the book has never seen:")
    table = portfolio.evaluate(matrix, ["baseline", "best-seed", "nash"], opponents=[1, 2, 4, 8], repetitions=200)
    for method in ["baseline", "best-seed", "nash"]:
        rates = table[table["method"] == method]
        print(f"  {method:10}", *(f"{row['opponents']}: {row['rate']:.1%}  " for row in rates))


if __name__ == "__main__":
    main()
