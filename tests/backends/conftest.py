"""What these tests share is imported as plain modules: from here, from signatures/ and from typing/."""

import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path[:0] = map(str, (HERE, HERE / "signatures", HERE / "typing"))
