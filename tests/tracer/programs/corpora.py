"""All programs with control flow and writes, each with arguments that take every way."""

from __future__ import annotations

import construct_programs
import flow_programs
import found_programs
import list_programs
import message_programs
import number_programs
import peeled_programs
import state_programs
import tested_programs
import tried_programs
import value_programs
import window_programs
import write_programs

CORPORA = (
    construct_programs,
    flow_programs,
    state_programs,
    tested_programs,
    tried_programs,
    value_programs,
    found_programs,
    list_programs,
    message_programs,
    number_programs,
    peeled_programs,
    window_programs,
    write_programs,
)
PROGRAMS = [program for corpus in CORPORA for program in corpus.PROGRAMS]
NAMES = [fn.__name__ for fn, _ in PROGRAMS]

#: Those that no compiled control flow can say, and why they are refused.
COMPILED = {
    "asserted": "cannot raise",
    "told_in_a_message": "cannot raise",
    "as_many_as_positive": "a slice with bounds",
    "ones_of_positive": "ones with a shape",
    "raising": "cannot raise",
    "raise_guard": "cannot raise",
    "int_acc": "changes its shape or dtype",
    "whole_until": "with different results",
    "grown_until": "changes its shape or dtype",
    "halved_while_large": "collecting in a while",
    "rows_until_large": "collecting in a loop that is left early",
}
