"""A module imports only from the layers above it, wherever in the module the import stands."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import simdom

PACKAGE = Path(simdom.__file__).parent

# From top to bottom, as data flows. A package stands for all of its modules; modules of one
# layer do not import each other, but for those in PEERS.
LAYERS = [
    {"_version", "errors"},
    {"tiles", "files", "counts", "formats", "toggles"},
    {"rules"},
    {"presets", "relevance"},
    {"variants", "strategies"},
    {"engine"},
    {"estimate"},
    {"columns"},
    {"match_metrics"},
    {"figures", "agreement"},
    {"hooks"},
    {"executors"},
    {"running"},
    {"document"},
    {"results"},
    {"records"},
    {"tables", "plots"},
    {"simulate"},
    {"settling", "bench", "matches"},
    {"rounds"},
    {"transcripts"},
    {"showing"},
    {"playing"},
    {"duels", "exact", "grids", "pairing"},
    {"published", "resuming", "advice"},
    {"merging"},
    {"calibration"},
    {"catalogue"},
    {"cli"},
    {"__main__"},
]
PEERS = {
    "advice",
    "calibration",
    "catalogue",
    "duels",
    "engine",
    "executors",
    "running",
    "plots",
    "exact",
    "grids",
    "pairing",
    "published",
    "records",
    "transcripts",
    "showing",
    "playing",
    "matches",
    "cli",
}
DEPTH = {name: depth for depth, layer in enumerate(LAYERS) for name in layer}
FACADE = "__init__"  # names everything, lazily; the test below says how lazily
HEAVY = {
    "dask",
    "distributed",
    "matplotlib",
    "numba",
    "numpy",
    "pandas",
    "pydantic",
    "rich",
    "scipy",
}


def modules():
    return sorted(path for path in PACKAGE.rglob("*.py") if path != PACKAGE / "__init__.py")


def layer_of(path):
    return path.relative_to(PACKAGE).with_suffix("").parts[0]


def imports_of(path):
    """The parts of simdom that a module imports anywhere: at its top, in functions, for types."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        match node:
            case ast.Import(names=names):
                dotted = [alias.name for alias in names]
            case ast.ImportFrom(module=module, names=names, level=0):
                assert module is not None
                dotted = (
                    [f"simdom.{alias.name}" for alias in names] if module == "simdom" else [module]
                )
            case ast.ImportFrom():
                pytest.fail(f"{path.name}:{node.lineno} imports relatively: write simdom.…")
            case _:
                continue
        for name in dotted:
            if name.split(".")[0] == "simdom":
                yield node.lineno, [*name.split("."), FACADE][1]


def test_every_module_has_a_layer():
    assert {layer_of(path) for path in modules()} <= set(DEPTH)


@pytest.mark.parametrize("path", modules(), ids=lambda path: str(path.relative_to(PACKAGE)))
def test_imports_come_from_layers_above(path):
    here = layer_of(path)
    for line, imported in imports_of(path):
        allowed = DEPTH.get(imported, len(LAYERS)) < DEPTH[here] or (
            imported == here and here in PEERS
        )
        assert allowed, f"{path.relative_to(PACKAGE)}:{line}: {here} must not import {imported}"


@pytest.mark.parametrize("path", modules(), ids=lambda path: str(path.relative_to(PACKAGE)))
def test_only_the_engine_compiles(path):
    tree = ast.parse(path.read_text(encoding="utf-8"))
    names = {
        alias.name.split(".")[0]
        for node in ast.walk(tree)
        if isinstance(node, ast.Import)
        for alias in node.names
    } | {
        (node.module or "").split(".")[0]
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom)
    }
    assert "numba" not in names or layer_of(path) == "engine"


def modules_loaded_by(code):
    """The top-level modules that a fresh interpreter holds after it ran ``code``."""
    report = "\nimport sys\nprint(*{name.split('.')[0] for name in sys.modules}, file=sys.stderr)"
    done = subprocess.run(
        [sys.executable, "-c", code + report], capture_output=True, text=True, check=True
    )
    return set(done.stderr.split())


def test_import_simdom_is_light():
    assert not modules_loaded_by("import simdom") & HEAVY


@pytest.mark.parametrize(
    "arguments",
    [
        "--help",
        "--version",
        "run --help",
        "match --help",
        "effects --help",
        "sweep --help",
        "duel --help",
        "ladder --help",
        "play --help",
        "daily --help",
        "bench --help",
        "results --help",
        "results query --help",
        "odds --help",
        "advise --help",
    ],
)
def test_help_is_light(arguments):
    code = (
        "from simdom.cli import main\n"
        f"try:\n    main({arguments.split()})\nexcept SystemExit as end:\n    assert not end.code"
    )
    # To reach a command, typer itself reads the options before it, and reads options by pydantic.
    typers_own = set() if arguments.startswith("-") else {"pydantic"}
    assert not (modules_loaded_by(code) & HEAVY) - typers_own
