"""What the command lines of train.py and loop.py share."""

import argparse


class Problem(Exception):
    """What is wrong, in one sentence."""


class Parser(argparse.ArgumentParser):
    """Reports a wrong option as one sentence."""

    def error(self, message):
        raise Problem("{}; see --help".format(message))


def whole(least):
    """Return a reader of whole numbers."""

    def read(text):
        if not text.isascii() or not text.isdigit() or int(text) < least:
            raise argparse.ArgumentTypeError("'{}' is not a whole number from {}".format(text, least))
        return int(text)

    return read
