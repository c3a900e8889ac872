"""All corner programs: each was once translated wrongly or not at all."""

from __future__ import annotations

import alias_programs
import corner_programs
import loop_programs
import named_programs

CORNERS = (corner_programs, alias_programs, named_programs, loop_programs)
PROGRAMS = [program for corpus in CORNERS for program in corpus.PROGRAMS]
