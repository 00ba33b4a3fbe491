"""Seeds that follow from others."""

from hashlib import blake2b


def derived_seed(seed: int, *path: int | str) -> int:
    """A seed of its own for everything that has another path: the same on every machine."""
    text = "/".join(map(str, (seed, *path)))
    return int.from_bytes(blake2b(text.encode(), digest_size=8).digest())
