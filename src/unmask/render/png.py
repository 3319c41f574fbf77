"""An explanation as PNG, drawn by matplotlib (the extra `plot`) without its global state.

Fonts are those of this computer: a note in the picture names the characters that none of them has.
"""

import io
import unicodedata
from functools import partial
from types import ModuleType

from ..errors import ArgumentError, ModelError
from ..explanation import Explanation
from . import sheet, wording
from .escape import shown
from .looks import look
from .picture import Picture, Rows, picture
from .sheet import Sheet
