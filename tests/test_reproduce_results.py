"""The results that are kept with the code: of these rules, these claims, and still true."""

import json
import math
from pathlib import Path

import pytest

from evidence import Z_BOUND
from simdom import RULES_VERSION
from simdom.published.claims import STRATEGIES, claims
from simdom.published.claims_file import load_claims
from simdom.published.reproduction import FILES, SCHEMA

RESULTS = Path(__file__).parent.parent / "results"
PUBLISHED = RESULTS / "published"


@pytest.fixture(scope="module")
def document():
    return json.loads((PUBLISHED / "claims.json").read_text("utf-8"))


def test_they_are_of_these_rules_and_these_claims(document):
    assert (document["schema"], document["rules_version"]) == (SCHEMA, RULES_VERSION)
    assert (document["rounds"], document["seed"]) == (10**7, 1)
    assert document["command"] == "simdom reproduce -n 1e7 --seed 1"
    assert "partial" not in document
    kept = document["claims"]
    for claim, entry in zip(load_claims().claims, kept, strict=True):
        assert claim.to_dict().items() <= entry.items()
    assert document["sources"] == load_claims().sources
    assert tuple(kept[0]["strategies"]) == STRATEGIES


def test_the_strategies_are_still_what_they_were(document):
    played = claims(only="no-double")
    assert document["strategies"] == [strategy.to_dict() for strategy in played.strategies]


def test_the_files_belong_together(document):
    assert sorted(path.name for path in PUBLISHED.iterdir()) == sorted(FILES)
    page = (PUBLISHED / "claims.md").read_text("utf-8")
    for sentence in document["summary"]:
        assert f"\n- {sentence}\n" in page
    assert f"```sh\n{document['command']}\n```" in page
    picture = (PUBLISHED / "plane.svg").read_text("utf-8")
    assert "10,000,000 rounds of each, seed 1" in picture
    told = (RESULTS / "README.md").read_text("utf-8")
    assert f"simdom {document['simdom']}, rules version {document['rules_version']}" in told
    assert f"{document['command']} --out results/published --overwrite\n" in told


def test_what_they_say_of_61_and_19_2_percent(document):
    """That the source names no strategy, what random play gives, and who gives the figures."""
    summary = document["summary"]
    assert any(told.startswith("S3 names no strategy for 61%, 19.2%") for told in summary)
    figures = {claim["id"]: claim["strategies"] for claim in document["claims"]}
    for name, low, high in (("block-blocked", 0.655, 0.6575), ("draw-blocked", 0.2015, 0.203)):
        assert low < figures[name]["random"]["estimate"] < high
        inside = [who for who, found in figures[name].items() if found["verdict"] == "inside"]
        met = next(told for told in summary if told.startswith(f"{name_of(document, name)} ("))
        assert all(f" {who} (" in met for who in inside)
        assert ("met by none" in met) == (not inside)


def name_of(document, claim_id):
    return next(claim["printed"] for claim in document["claims"] if claim["id"] == claim_id)


@pytest.mark.jit
def test_a_fresh_run_agrees(document):
    """Each figure against that of another seed: |z| < 4.89, one false alarm in 10^6 for each."""
    found = claims(rounds=200_000, seed=20_261)
    for claim in document["claims"]:
        fresh = found.figures.get(claim["id"], {})
        assert set(fresh) == set(claim["strategies"])
        for name, kept in claim["strategies"].items():
            estimate = fresh[name].estimate
            z = (estimate.estimate - kept["estimate"]) / math.hypot(estimate.se, kept["se"])
            assert abs(z) < Z_BOUND, f"{claim['id']}, {name}: z = {z:.2f}"
