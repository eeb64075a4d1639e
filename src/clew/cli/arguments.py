"""The arguments of every command. Imports nothing but argparse, so that help is instant."""

from __future__ import annotations

from collections.abc import Callable

from clew.cli import values
from clew.cli.parser import Parser
from clew.cli.shared_options import (
    WORKERS,
    define_option,
    help_option,
    limits,
    model_options,
    no_symmetry,
    output_options,
    reduce_by_symmetry,
    report_options,
    run_options,
    search_options,
)


def check_parser() -> Parser:
    parser = Parser(
        "check",
        "FILE...",
        "Decides the properties of a model: assertions, deadlock, run-time errors, and what is written in it.\n"
        "Prints verdict, evidence, figures and the counterexample; leaves a run that `clew trace` shows again.",
        "  clew check leader.pml\n"
        "  clew check --max-time 5m --keep-going -D N=4 protocol.pml\n"
        "  clew check --property deadlock --search dfs philosophers.pml\n"
        "  clew check --json *.pml",
    )
    parser.add_argument("files", nargs="+", metavar="FILE", help="model to check; several are checked one by one")
    model_options(parser)
    search = search_options(parser, ("bfs", "dfs", "hunt", "random"))
    search.add_argument(
        "--property",
        dest="properties",
        action="append",
        default=[],
        metavar="NAME|KIND:TEXT",
        help="only this property of the model, or a formula such as ltl:'[] p' (repeatable)",
    )
    search.add_argument(
        "--ltl",
        dest="properties",
        action="append",
        type=values.formula,
        metavar="FORMULA",
        help="only this temporal formula: short for --property ltl:FORMULA (repeatable)",
    )
    search.add_argument(
        "--ctl",
        dest="properties",
        action="append",
        type=values.branching_formula,
        metavar="FORMULA",
        help="only this formula of computation tree logic: short for --property ctl:FORMULA (repeatable)",
    )
    search.add_argument(
        "--reach",
        dest="properties",
        action="append",
        type=values.goal,
        metavar="CONDITION",
        help="only whether this can be true in some state: short for --property reach:CONDITION (model programs)",
    )
    search.add_argument(
        "--pattern",
        dest="properties",
        action="append",
        type=values.pattern,
        metavar="WORDS",
        help="only this property in words, such as 'absence of p between q and r' (repeatable)",
    )
    search.add_argument(
        "--fair",
        choices=("none", "weak", "strong"),
        default="none",
        help="temporal properties, CTL: look only at runs that are fair to every process (default none)",
    )
    search.add_argument(
        "--ends",
        choices=("stutter", "maximal", "infinite"),
        help="temporal properties: a run that ends repeats its last state, is a run, or is none (default stutter)",
    )
    search.add_argument(
        "--algorithm",
        metavar="NAME",
        help="temporal properties: how the native engine looks for a cycle (default auto)",
    )
    search.add_argument(
        "--minimal-cycle",
        action="store_true",
        help="temporal properties: the native engine makes the cycle of a counterexample as short as it can",
    )
    search.add_argument(
        "--hunt",
        type=values.hunt,
        default="",
        metavar="SETTINGS",
        help="how --search hunt goes, as in most=50000,first,order=last (default: tables of 1 to 200,000 bytes)",
    )
    search.add_argument(
        "--swarm",
        type=values.swarm,
        default="",
        metavar="N|FROM-TO",
        help="--cluster with --search hunt, random: how many different searches, or which of them",
    )
    search.add_argument(
        "--checkpoint",
        nargs="?",
        type=values.duration,
        const=0.0,
        metavar="TIME",
        help="write a checkpoint when the search is stopped, and every TIME; `clew resume` goes on from it",
    )
    search.add_argument(
        "--reduce",
        choices=("auto", "none", "por", "symmetry"),
        default="auto",
        help="leave out steps whose order does not matter (por) and states that differ in names of interchangeable "
        "things only (symmetry): where that is sound (auto), or never (none)",
    )
    no_symmetry(search)
    search.add_argument(
        "--proviso",
        choices=("stack", "visited", "queue", "queue-live", "chain", "none"),
        help="what keeps a reduction from ignoring steps for ever (default: stack for temporal properties, chain where "
        "the search can follow chains, else queue)",
    )
    search.add_argument("--keep-going", action="store_true", help="explore everything even after a violation")
    limits(parser)
    output = output_options(parser)
    output.add_argument("-q", "--quiet", action="store_true", help="one line per file: the verdict")
    output.add_argument("-v", "--verbose", action="count", default=0, help="all variables after each step of a trace")
    report_options(parser, "what was found")
    run_options(parser).add_argument("--no-run", action="store_true", help="leave no run")
    return parser


def count_parser() -> Parser:
    parser = Parser(
        "count",
        "FILE...",
        "Explores the full reachable state space: no property, no reduction. Exit status 2 if a limit was hit.",
        "  clew count leader.pml\n  clew count -q *.pml\n"
        "  clew count --granularity fine --max-states 1_000_000 --json leader.pml",
    )
    parser.add_argument("files", nargs="+", metavar="FILE", help="model to explore; several are explored one by one")
    model_options(parser)
    search = search_options(parser)
    reduce_by_symmetry(search, "count states up to isomorphism")
    limits(parser)
    output_options(parser).add_argument("-q", "--quiet", action="store_true", help="one line per file: the figures")
    return parser


def estimate_parser() -> Parser:
    parser = Parser(
        "estimate",
        "[FILE]",
        "How many states there are, roughly, from a quick search that may miss some (bitstate, k = 3); and what\n"
        "stores in that much memory would miss. Without FILE: only the latter, for given numbers of states.",
        "  clew estimate --max-time 1m --memory 400M leader.pml\n"
        "  clew estimate --states 1e8 --memory 400M\n"
        "  clew estimate --states 3e8 --memory 1G --store bitstate:k=21 --store compact:width=28",
    )
    parser.add_argument("file", nargs="?", metavar="FILE", help="model to explore")
    model_options(parser)
    group = parser.add_argument_group("the question")
    group.add_argument(
        "--memory", type=values.size, default=64 << 20, metavar="SIZE", help="memory of the table (default 64M)"
    )
    group.add_argument(
        "--states",
        type=values.amount,
        action="append",
        default=[],
        metavar="N",
        help="predict for so many states (repeatable; default: the estimate)",
    )
    group.add_argument(
        "--store",
        dest="stores",
        type=values.store,
        action="append",
        default=[],
        metavar="NAME[:SETTINGS]",
        help="predict for this store (repeatable; default: some with their best settings)",
    )
    group.add_argument("--workers", type=values.amount, default=None, metavar="N", help=WORKERS)
    group.add_argument("--seed", type=values.seed, default=None, metavar="N", help="seed of hashing")
    group.add_argument(
        "--max-time", type=values.duration, default=60.0, metavar="TIME", help="stop after this time (default 60 s)"
    )
    group.add_argument("--max-memory", type=values.size, metavar="SIZE", help="stop at this much memory (500M, 2G)")
    output_options(parser)
    return parser


def resume_parser() -> Parser:
    parser = Parser(
        "resume",
        "[RUN]",
        "Goes on with a search that was stopped by a limit or Ctrl-C, or killed, from its checkpoint. The answer is\n"
        "that of a search that was never stopped. Limits and workers may be others than before.",
        "  clew check --checkpoint 10m --max-time 8h big.pml\n  clew resume --max-time 8h",
    )
    parser.add_argument(
        "run", nargs="?", default="last", metavar="RUN", help="`last` (the default), a name or a folder"
    )
    group = parser.add_argument_group("the search")
    group.add_argument("--workers", type=values.amount, default=None, metavar="N", help=WORKERS)
    group.add_argument(
        "--checkpoint",
        type=values.duration,
        default=0.0,
        metavar="TIME",
        help="write a checkpoint when the search is stopped, and every TIME",
    )
    limits(parser, depth=False)  # the depth of the search that was begun stays
    output = output_options(parser)
    output.add_argument("-q", "--quiet", action="store_true", help="one line: the verdict")
    output.add_argument("-v", "--verbose", action="count", default=0, help="all variables after each step of a trace")
    report_options(parser, "what was found")
    run_options(parser)
    return parser


def simulate_parser() -> Parser:
    parser = Parser(
        "simulate",
        "FILE",
        "Walks through a model and prints each step. Random unless told otherwise; a seed makes it repeatable.",
        "  clew simulate --seed 7 --steps 50 leader.pml\n"
        "  clew simulate -i leader.pml\n"
        "  clew simulate --tui leader.pml\n"
        "  clew simulate --trace last leader.pml",
    )
    parser.add_argument("file", nargs="?", metavar="FILE", help="model to walk through; with --trace RUN not needed")
    model_options(parser)
    walk = parser.add_argument_group("the walk")
    how = walk.add_mutually_exclusive_group()
    how.add_argument("-r", "--random", action="store_true", help="choose each step at random (the default)")
    how.add_argument("-i", "--interactive", action="store_true", help="choose each step from a menu")
    how.add_argument("--trace", metavar="RUN|FILE", help="follow a saved trace, then stop")
    walk.add_argument(
        "--tui", action="store_true", help="a screen to walk on, back and forth, along --trace, too (extra tui)"
    )
    walk.add_argument("--seed", type=values.seed, default=1, metavar="N", help="seed of the random choices (default 1)")
    walk.add_argument(
        "--steps", type=values.amount, default=None, metavar="N", help="stop after N steps (default 1000)"
    )
    output = output_options(parser, progress=False)
    output.add_argument("--full", action="store_true", help="all variables after each step, not only changes")
    output.add_argument("-q", "--quiet", action="store_true", help="only what the model prints, and how it ends")
    run_options(parser)
    return parser


def explore_parser() -> Parser:
    parser = Parser(
        "explore",
        "FILE|RUN",
        "Opens a model, a saved run or a trace in the browser: counterexamples step by step, the state space by\n"
        "clicking on steps, graphs, and checks while they run. The server answers on this machine only.",
        "  clew explore leader.pml\n  clew explore last\n  clew explore --check='--max-time 5m' big.pml",
    )
    parser.add_argument("subject", metavar="FILE|RUN", help="model, `last`, a run's name, its folder, or a trace file")
    model_options(parser)
    no_symmetry(parser.add_argument_group("model programs"))
    group = parser.add_argument_group("the server")
    group.add_argument("--port", type=values.port, default=0, metavar="N", help="where it listens (default: any free)")
    group.add_argument("--no-browser", action="store_true", help="print the address, open nothing")
    group.add_argument(
        "--check",
        nargs="?",
        const="",
        metavar="OPTIONS",
        help="begin with a check, with these options of `clew check` in one word",
    )
    output_options(parser, progress=False)
    run_options(parser)
    return parser


def trace_parser() -> Parser:
    parser = Parser(
        "trace",
        "[RUN]",
        "Shows the counterexample of a run; converts it; or executes it again with the reference interpreter,\n"
        "from the model text saved in the run.",
        "  clew trace\n  clew trace --replay\n  clew trace leader-1f0c --to mermaid -o leader.mmd\n"
        "  clew trace last --html report.html",
    )
    parser.add_argument(
        "run",
        nargs="?",
        default="last",
        metavar="RUN",
        help="`last` (the default), a run's name, its folder, or a trace file",
    )
    parser.add_argument(
        "--number",
        type=values.amount,
        default=1,
        metavar="N",
        help="the trace of the N-th violated property (default 1)",
    )
    parser.add_argument("--replay", action="store_true", help="execute it again and say whether it is confirmed")
    output = parser.add_argument_group("output")
    output.add_argument("--full", action="store_true", help="all variables after each step, not only changes")
    output.add_argument(
        "--to",
        choices=("text", "json", "html", "mermaid", "plantuml", "chart", "svg", "dot"),
        default="text",
        help="form: steps as text, JSON, a page with a viewer (html), a sequence chart (chart is drawn in text); "
        "svg, dot: relations in each state as graphs",
    )
    output.add_argument("--json", action="store_true", help="the same as --to json")
    output.add_argument("-o", "--output", metavar="FILE", help="write to a file")
    help_option(output)
    report_options(parser, "the whole run, in place of its trace")
    run_options(parser)
    return parser


def recheck_parser() -> Parser:
    parser = Parser(
        "recheck",
        "[RUN]",
        "Checks what a run says by code that did not find it out: traces are executed again, certificates are checked\n"
        "by another decision procedure, and what has neither is decided again by another engine.",
        "  clew recheck\n  clew recheck leader-1f0c --max-time 10m",
    )
    parser.add_argument(
        "run", nargs="?", default="last", metavar="RUN", help="`last` (the default), a name or a folder"
    )
    parser.add_argument(
        "--max-time",
        type=values.duration,
        default=60.0,
        metavar="TIME",
        help="stop after this time, for each property (default 60 s)",
    )
    output_options(parser)
    run_options(parser)
    return parser


def graph_parser() -> Parser:
    parser = Parser(
        "graph",
        "FILE",
        "Draws the state graph (when small) or the automata of the processes.",
        "  clew graph mutex.pml -o mutex.svg\n"
        "  clew graph --what process:client --to dot protocol.pml\n"
        "  clew graph --what states --to aut mutex.pml > mutex.aut",
    )
    parser.add_argument("file", metavar="FILE", help="model to draw")
    model_options(parser)
    drawing = parser.add_argument_group("drawing")
    drawing.add_argument(
        "--what",
        default="states",
        metavar="WHAT",
        help="states (the default), processes, or process:NAME for one automaton",
    )
    drawing.add_argument(
        "--max-states",
        type=values.amount,
        default=2000,
        metavar="N",
        help="refuse to draw more states than this (default 2000)",
    )
    drawing.add_argument(
        "--to",
        choices=("dot", "svg", "aut", "json"),
        default=None,
        help="format (default: by the name after -o, else dot)",
    )
    drawing.add_argument("--json", action="store_true", help="the same as --to json")
    drawing.add_argument("-o", "--output", metavar="FILE", help="write to a file")
    reduce_by_symmetry(drawing, "draw states up to isomorphism")
    help_option(drawing)
    return parser


def lint_parser() -> Parser:
    parser = Parser(
        "lint",
        "FILE...",
        "Says what is wrong or suspicious in the text of a model. Exit status 1 if there is an error.",
        "  clew lint leader.pml\n  clew lint --json *.pml\n  clew lint --types leader.pml\n"
        "  clew lint --graph leader.pml -o types.svg\n  clew lint --sarif lint.sarif *.pml",
    )
    parser.add_argument("files", nargs="+", metavar="FILE", help="model to look at")
    model_options(parser)
    group = parser.add_argument_group("the answer")
    group.add_argument("--to", choices=("text", "json", "sarif"), default="text", help="form of the answer")
    group.add_argument("--sarif", metavar="FILE", help="also write the findings of all files there, as SARIF")
    group.add_argument("--types", action="store_true", help="show the inferred type of every name")
    group.add_argument(
        "--graph", action="store_true", help="draw the types of the channels instead (DOT, or by -o: SVG)"
    )
    group.add_argument("-o", "--output", metavar="FILE", help="write the graph there (.dot or .svg)")
    output_options(parser, progress=False)
    return parser


def test_parser() -> Parser:
    parser = Parser(
        "test",
        "FILE",
        "Makes a test suite from a model program, or tests an implementation against it (--against). Exit status 1 if\n"
        "the implementation fails. See docs/testing.md.",
        "  clew test queue.py --suite transitions -o queue.suite\n"
        "  clew test queue.py --against service.py:Adapter --runs 100 --seed 7\n"
        "  clew test queue.py --against service.py:Adapter --cases queue.suite",
    )
    parser.add_argument("file", metavar="FILE", help="model to test against")
    model_options(parser)
    group = parser.add_argument_group("the tests")
    group.add_argument("--suite", metavar="COVERAGE", help="transitions (default), states, actions or switch:K")
    group.add_argument("--cases", metavar="FILE", help="a suite made before")
    group.add_argument("--against", metavar="MODULE:FACTORY", help="what makes the implementation under test")
    group.add_argument("--strategy", choices=("random", "coverage", "suite"), help="how actions are chosen")
    group.add_argument("--runs", type=values.amount, default=20, metavar="N", help="how many runs (default 20)")
    group.add_argument("--steps", type=values.amount, default=30, metavar="N", help="actions in a run (default 30)")
    group.add_argument("--seed", type=values.seed, default=0, metavar="N", help="seed of the first run (default 0)")
    group.add_argument(
        "--timeout", type=values.duration, default=2.0, metavar="TIME", help="for each answer (default 2 s)"
    )
    output = output_options(parser, progress=False)
    output.add_argument("-o", "--output", metavar="FILE", help="where the suite, or the failing test case, is written")
    return parser


def property_parser() -> Parser:
    parser = Parser(
        "property",
        "ACTION [PROPERTY]",
        "Specification patterns: properties in words, such as `absence of P between L and R`.\n"
        "  list     the formulas of a catalogue\n"
        "  choose   questions about runs that lead to the property you mean; PROPERTY is what it speaks about\n"
        "  explain  a property in a sentence, with timelines of a run it allows and one it forbids\n"
        "  formula  its formula, in the notation of several tools\n"
        "  test     test cases with obvious answers, printed or generated, on the formulas of a catalogue\n"
        "  audit    the formulas of a catalogue, or one of yours, against the meaning by intervals",
        "  clew property list --dialect sps\n"
        "  clew property choose 'locked, moving'\n"
        "  clew property explain 'locked precedes moving between doors_open and at_station' -o door.svg\n"
        "  clew property formula --to spin 'T responds to P after L until R'\n"
        "  clew property test --suite table5 --dialect prospec\n"
        "  clew property audit --dialect sps\n"
        "  clew property audit --formula '<> r -> (!p U r)' 'absence of p before r'",
    )
    parser.add_argument(
        "action", metavar="ACTION", choices=("list", "choose", "explain", "formula", "test", "audit"), help="what to do"
    )
    parser.add_argument(
        "text",
        nargs="?",
        metavar="PROPERTY",
        help="a property in words (default: all of the catalogue); choose: its propositions",
    )
    meaning = parser.add_argument_group("the meaning")
    meaning.add_argument(
        "--dialect",
        choices=("sps", "prospec", "prospec-fixed", "ours"),
        default=None,
        help="catalogue of formulas (default ours; audit: all)",
    )
    meaning.add_argument(
        "--reading",
        dest="readings",
        action="append",
        default=[],
        choices=("nested", "outermost", "strict-response", "strict-precedence"),
        help="nested (the default) or outermost intervals; T in another state than P (repeatable)",
    )
    meaning.add_argument("--formula", metavar="LTL", help="audit: this formula instead of those of a catalogue")
    meaning.add_argument("--advice", action="store_true", help="formula: equivalent formulas and their automata, too")
    meaning.add_argument("--model", metavar="FILE", help="formula --advice: and their products with this model")
    define_option(meaning, only_with="--model: ")
    tests = parser.add_argument_group("tests")
    tests.add_argument(
        "--suite", choices=("table5", "table6", "figures", "generated"), default="generated", help="which cases to run"
    )
    tests.add_argument(
        "--runner", choices=("definition", "automaton", "spin"), default="definition", help="what judges the traces"
    )
    tests.add_argument("--mutants", action="store_true", help="how many wrong formulas the generated cases notice")
    output = output_options(parser, progress=False)
    output.add_argument(
        "--to",
        default=None,
        metavar="SYNTAX",
        help="formula: math, clew, spin, never, hoa, spot, nusmv, psl, ctl or all; test: promela",
    )
    output.add_argument("-o", "--output", metavar="FILE", help="explain: the timelines as SVG")
    output.add_argument("-v", "--verbose", action="store_true", help="test: passed cases, too")
    return parser


def convert_parser() -> Parser:
    parser = Parser(
        "convert",
        "FILE",
        "Writes a relational model in the language of SMV checkers or of Alloy 6.",
        "  clew convert --to smv mutex.rel -o mutex.smv",
    )
    parser.add_argument("file", metavar="FILE", help="model to convert")
    model_options(parser)
    output = output_options(parser, progress=False)
    output.add_argument("--to", choices=("smv", "alloy"), required=True, help="the other language")
    output.add_argument("-o", "--output", metavar="FILE", help="write to a file")
    return parser


def doctor_parser() -> Parser:
    parser = Parser("doctor", "", "Says what Clew finds on this machine.", "  clew doctor")
    output_options(parser, progress=False)
    return parser


def lsp_parser() -> Parser:
    parser = Parser(
        "lsp",
        "",
        "A language server: editors start it and talk to it over stdin and stdout.",
        "  vim.lsp.start({ name = 'clew', cmd = { 'clew', 'lsp' } })",
    )
    parser.add_argument("--stdio", action="store_true", help="what it does anyway; many editors say so")
    help_option(parser)
    return parser


PARSERS: dict[str, Callable[[], Parser]] = {
    "check": check_parser,
    "count": count_parser,
    "estimate": estimate_parser,
    "resume": resume_parser,
    "simulate": simulate_parser,
    "explore": explore_parser,
    "trace": trace_parser,
    "recheck": recheck_parser,
    "graph": graph_parser,
    "lint": lint_parser,
    "convert": convert_parser,
    "test": test_parser,
    "property": property_parser,
    "lsp": lsp_parser,
    "doctor": doctor_parser,
}
