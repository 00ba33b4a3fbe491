from collections.abc import Sequence
from typing import Any, Literal, final, overload

import numpy as np
from numpy.typing import NDArray

from tesuji.own import OwnPosition, Side, Outcome

__version__: str

@final
class Game:
    def __new__(cls, spec: str) -> Game: ...
