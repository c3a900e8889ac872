# The README's two commands are `make demo` and `make test`. Both need Python 3.11 or newer and nothing else:
# the environment is made on the first call, and again when what it is made from changes.

PYTHON ?= $(shell for python in python3.11 python3.12 python3.13 python3 python; do \
	$$python -c 'import sys, venv; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$python && break; done)
RUN := .venv/bin/python
READY := .venv/installed
PYTEST := $(RUN) -m pytest -n 2 -q

.PHONY: demo test test-all test-every check lint types bench signatures memory clean

demo: $(READY)  ## transpile and run the programs in examples/
	$(RUN) examples/demo.py

test: lint types  ## what a change must pass
	$(PYTEST) -m "not slow" --durations=25 --durations-min=3

test-all: lint types  ## everything, slow tests included; of large tables what covers all pairs of values
	$(PYTEST)

test-every: lint types  ## whole tables too: takes twice as long
	$(PYTEST) --every

check: lint types  ## while working: what failed last comes first, and the first failure ends it
	$(PYTEST) -m "not slow" --failed-first --exitfirst

lint: $(READY)
	$(RUN) -m ruff check .

# The wheel is checked because only there the rooms stand in their package, and from its own folder, lest mypy take
# the checkout's modules for scripts. An old build/ would leak into it.
types: $(READY)
	rm -rf build
	$(RUN) -m pip install --quiet --no-deps --no-build-isolation --target build/typed .
	cd build/typed && ../../$(RUN) -m mypy --config-file ../../pyproject.toml --package tracelate

bench: $(READY)  ## the figures of speed and size, as ratios
	set -e; for file in $(filter-out benchmarks/common.py benchmarks/by_hand.py, $(wildcard benchmarks/*.py)); do $(RUN) "$$file"; done

signatures: $(READY)  ## write backends/signatures/*.json anew from the installed frameworks
	$(RUN) -m tracelate.backends.signatures.generate
	$(RUN) -m tracelate.backends.forms

memory: $(READY)  ## write backends/memory/*.json anew: which callees give arrays of their own, and which numbers
	$(RUN) -m tracelate.backends.measure
	$(RUN) -m tracelate.backends.measure_numbers

clean:  ## what was built, not .venv
	rm -rf build dist tracelate.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis
	find . -path ./.venv -prune -o -name __pycache__ -type d -exec rm -rf {} +

# torch first and by its exact version, see constraints.txt; setuptools before what is built with it.
$(READY): setup.cfg pyproject.toml constraints.txt
	@test -n "$(PYTHON)" || { echo "Python 3.11 or newer, with venv, is needed: make PYTHON=/path/to/python3.11" >&2; exit 1; }
	test -x $(RUN) || "$(PYTHON)" -m venv .venv
	$(RUN) -m pip install --quiet --constraint constraints.txt torch==2.13.0 setuptools
	$(RUN) -m pip install --quiet --constraint constraints.txt --no-build-isolation \
		--editable ".[jax,torch,scipy,safetensors,examples,test,dev]"
	touch $(READY)
