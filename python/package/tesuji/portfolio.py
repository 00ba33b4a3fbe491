"""Portfolios of random seeds: opening books that are learnt by choosing seeds.

A player that draws random numbers is, with its seed fixed, a deterministic player, and some
seeds are better than others (Cazenave, Liu, Teytaud, Teytaud 2016). ``seed_matrix`` plays
seeds against seeds, ``solve`` and ``learn`` say which to choose, ``evaluate`` how they fare against
seeds that were held out, and ``Book`` is all of it in a file that plays matches.
"""

from tesuji._tesuji import Book, Equilibrium, Portfolio, evaluate, learn, seed_matrix, solve

__all__ = ["Book", "Equilibrium", "Portfolio", "evaluate", "learn", "seed_matrix", "solve"]
