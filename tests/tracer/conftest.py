"""Its helper module (tracing) is imported as a plain module from this folder."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
