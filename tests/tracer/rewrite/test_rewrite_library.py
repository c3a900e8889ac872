"""The rewriter on hundreds of functions of the standard library."""

from __future__ import annotations

import importlib
import importlib.util
import re
import sys
import traceback
import types
from collections.abc import Callable
from typing import Any

import pytest

from tracelate.tracer.rewrite import Plain, rewrite

MODULES = (
    *("textwrap", "json.encoder", "json.decoder", "json.scanner", "statistics", "fractions", "random", "csv"),
    *("heapq", "difflib", "shlex", "string", "copy", "pprint", "calendar", "colorsys", "argparse"),
)


def rewritten_copy(name: str, hooks: Plain) -> tuple[types.ModuleType, int]:
    """A second copy of a module, every function of it rewritten, and how many there are."""
    original = importlib.import_module(name)
    spec = importlib.util.spec_from_file_location(name, original.__file__)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    count = 0
    for fn in functions_of(vars(module), module.__name__):
        fn.__code__ = rewrite(fn, hooks).__code__
        count += 1
    return module, count


def functions_of(space: dict[str, Any], module: str) -> list[types.FunctionType]:
    found: dict[int, types.FunctionType] = {}
    for value in list(space.values()):
        value = getattr(value, "__func__", getattr(value, "fget", value))
        if isinstance(value, types.FunctionType) and value.__module__ == module:
            if not value.__code__.co_filename.startswith("<"):
                found[id(value)] = value
        elif isinstance(value, type) and value.__module__ == module:
            members = {key: each for key, each in vars(value).items() if not isinstance(each, type)}
            found |= {id(fn): fn for fn in functions_of(members, module)}
    return list(found.values())


@pytest.fixture(scope="module")
def library() -> dict[str, types.ModuleType]:
    made = {name: rewritten_copy(name, Plain()) for name in MODULES}
    assert sum(count for _, count in made.values()) > 400
    return {name: module for name, (module, _) in made.items()}


TEXT = "It was the best of times,\tit was the worst of times; \n\n  it was wisdom -- 'twas foolish-ness. " * 3
DATA = {"a": [1, 2.5, None, True, {"b": 'é\u2028"\\'}], "c": {}, "d": [], "e": -1e300}


def uses_textwrap(m: Any) -> Any:
    wrapped = [m.wrap(TEXT, width, break_long_words=b) for width in (7, 20, 70) for b in (True, False)]
    filled = m.fill(TEXT, initial_indent="* ", max_lines=2), m.shorten(TEXT, 40)
    return wrapped, filled, m.dedent("  a\n    b\n\n  c"), m.indent(TEXT, "> ")


def uses_encoder(m: Any) -> Any:
    sorts, streams = m.JSONEncoder(indent=2, sort_keys=True), m.JSONEncoder(ensure_ascii=False)
    return sorts.encode(DATA), list(streams.iterencode(DATA)), m.py_encode_basestring("é\n")


def uses_decoder(m: Any) -> Any:
    decoder = m.JSONDecoder(parse_float=str)
    good = '{"a": [1, 2.5e3, null, {"b": "\\u00e9\\ud83d\\ude00\\n"}], "": []}'
    texts = (good, "[1, 2", '{"a" 1}', "[nul]", "")
    return [attempt(decoder.decode, each) for each in texts], m.py_scanstring('a\\u0041"', 0)


def uses_scanner(m: Any) -> Any:
    import json

    scan = m.py_make_scanner(json.JSONDecoder())
    texts = ('{"a": [1, "x", true]}', "-1.5e3", "Infinity", "[", "nope")
    return [attempt(scan, each, 0) for each in texts]


def uses_statistics(m: Any) -> Any:
    data = [2.5, 3, 3.25, 5, 1.75, 2, 8]
    normal = m.NormalDist.from_samples(data)
    pairs = m.linear_regression(range(7), data), m.correlation(range(7), data)
    several = "mean fmean median median_low mode multimode variance stdev pvariance harmonic_mean quantiles"
    values = [getattr(m, name)(data) for name in several.split()]
    return values, normal, normal.cdf(3), pairs, attempt(m.mean, [])


def uses_fractions(m: Any) -> Any:
    F = m.Fraction
    a, b = F("3.25"), F(-7, 12)
    made = [a + b, a - b, a * b, a / b, a // b, a % b, a**2, a**-1, b**0.5, -a, abs(b), 2 + a, 0.5 * a]
    told = a < b, a == F(13, 4), hash(a), round(a, 1), attempt(F, "x"), attempt(F, 1, 0)
    return [str(x) for x in made], a.limit_denominator(2), told


def uses_random(m: Any) -> Any:
    r = m.Random(7)
    xs = list(range(10))
    r.shuffle(xs)
    draws = [r.randint(1, 6), r.choice("abc"), r.choices("abc", [1, 2, 3], k=4), r.sample(range(50), 5)]
    return xs, draws, r.gauss(0, 1), r.betavariate(2, 3), r.vonmisesvariate(0, 4), r.gammavariate(2, 1)


def uses_heapq(m: Any) -> Any:
    merged = list(m.merge([1, 4], [2, 3], key=abs, reverse=False))
    return merged, m.nsmallest(3, [5, 1, 4, 2], key=lambda x: -x), m.nlargest(2, "hello"), m.nlargest(1, [])


def uses_difflib(m: Any) -> Any:
    a, b = "private Thread current;\none\ntwo\n", "private volatile Thread current;\none\ntree\n"
    lines = a.splitlines(True), b.splitlines(True)
    matcher = m.SequenceMatcher(None, a, b)
    table = m.HtmlDiff().make_table(*lines, context=True)
    return matcher.get_opcodes(), matcher.ratio(), list(m.ndiff(*lines)), list(m.unified_diff(*lines)), table


def uses_shlex(m: Any) -> Any:
    made = m.split('a \'b c\' d\\ e "f\\"g" # no', comments=True), m.join(["a b", "c'd"])
    return made, attempt(m.split, "'open")


def uses_string(m: Any) -> Any:
    template = m.Template("$who likes ${what} $$")
    formatted = m.Formatter().format("{0!r:>5} {a.real:03d} {b[1]} {{}}", "x", a=7, b=[1, 2])
    told = template.substitute(who="a", what="b"), attempt(template.substitute, who="a")
    return told, formatted, m.capwords("a b")


class Record:
    pass


def uses_copy(m: Any) -> Any:
    shared = [1]
    data = {"a": shared, "b": (shared, {2}), "c": Record()}
    made = m.deepcopy(data)
    return made["a"] is made["b"][0], made["a"] is shared, m.copy(data)["a"] is shared, text_of_all(made)


def uses_pprint(m: Any) -> Any:
    nested = {"list": [*range(40)], "text": TEXT, "deep": {"a": [{"b": (1, {2, 3})}] * 3}, "data": DATA}
    formatted = m.pformat(nested, width=40), m.pformat(nested, depth=2, compact=True)
    return formatted, m.isreadable(nested), m.saferepr(nested)


def uses_csv(m: Any) -> Any:
    rows = ["a;b;c", "1;'x;y';3", "4;5", ""]
    sniffed = m.Sniffer().sniff("a;b;c\n1;2;3\n4;5;6\n")
    read = list(m.DictReader(rows, delimiter=";", quotechar="'", restval="?"))
    return read, sniffed.delimiter, attempt(m.Sniffer().has_header, "a,b\n1,2\n3,4\n")


def uses_calendar(m: Any) -> Any:
    year, month = m.TextCalendar(6).formatyear(2023), m.HTMLCalendar().formatmonth(2024, 2)
    return year, month, m.monthrange(1900, 2), m.isleap(2000), m.timegm((2020, 2, 3, 4, 5, 6))


def uses_colorsys(m: Any) -> Any:
    colours = (0.2, 0.5, 0.9), (0.0, 0.0, 0.0), (1.0, 0.3, 0.3)
    ways = "rgb_to_hls", "rgb_to_hsv", "rgb_to_yiq", "hsv_to_rgb"
    return [getattr(m, way)(*colour) for way in ways for colour in colours]


def uses_argparse(m: Any) -> Any:
    parser = m.ArgumentParser(prog="p", description=TEXT, epilog="end", exit_on_error=False)
    parser.add_argument("file", nargs="+", help="some %(prog)s files")
    parser.add_argument("-n", "--number", type=int, default=3, metavar="N", choices=range(9))
    group = parser.add_mutually_exclusive_group()
    group.add_argument("--yes", action="store_true")
    group.add_argument("--no", action="append")
    lines = (["a", "-n5", "b"], ["a", "--no", "x", "--no=y"], ["a", "--num", "q"], ["a", "-n", "99"])
    told = [attempt(lambda given: sorted(vars(parser.parse_args(given)).items()), line) for line in lines]
    return parser.format_help(), told


def attempt(f: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    try:
        return f(*args, **kwargs)
    except (Exception, SystemExit) as error:
        *_, last = traceback.extract_tb(error.__traceback__)
        return type(error).__name__, str(error), last.name


@pytest.mark.parametrize("name", MODULES)
def test_a_module_of_the_library_does_what_it_did(name: str, library: dict[str, types.ModuleType]) -> None:
    if name == "calendar" and sys.version_info >= (3, 12):
        pytest.skip("its months are put into the module of that name, which is the original")
    uses = globals()[f"uses_{name.rpartition('.')[2]}"]
    assert text_of_all(uses(library[name])) == text_of_all(uses(sys.modules[name]))


def text_of_all(value: object) -> str:
    return re.sub(r"0x[0-9a-f]+", "0x", repr(value))
