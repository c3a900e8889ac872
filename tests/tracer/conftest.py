"""What the rewriter is tested on stands in plain modules of this folder: rewrite_corpus, rewrite_programs."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
