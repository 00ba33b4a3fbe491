"""Portfolios of random seeds: opening books that are learnt by choosing seeds.

A player that draws random numbers is, with its seed fixed, a deterministic player, and some
seeds are better than others (Cazenave, Liu, Teytaud, Teytaud 2016). ``seed_matrix`` plays
seeds against seeds, ``solve`` and ``learn`` find which to choose, ``learn_lazily`` needs only some of
the games, ``evaluate`` measures portfolios against new seeds, and a ``Book`` plays matches.
"""

from tesuji._tesuji import (
    Book,
    Equilibrium,
    LazyPortfolio,
    Portfolio,
    evaluate,
    learn,
    learn_lazily,
    seed_matrix,
    solve,
)

__all__ = [
    "Book",
    "Equilibrium",
    "LazyPortfolio",
    "Portfolio",
    "evaluate",
    "learn",
    "learn_lazily",
    "seed_matrix",
    "solve",
]
