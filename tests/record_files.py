"""Records files for tests, written chunk by chunk as a run writes them."""

from simdom.matches import simulate_matches
from simdom.records.header import header_of
from simdom.records.playing import play_recorded, play_recorded_matches
from simdom.records.writing import RecordsFile
from simdom.simulate import simulate, study_of
from simdom.variants import as_variant


def study(variant="pagat-draw", strategy="random", seed=1, players=None, **overrides):
    return study_of(as_variant(variant).rules(players, overrides), strategy, seed)


def record(path, rounds=200, chunk=200, variant="pagat-draw", **options):
    """Record a run; its result."""
    strategy, seed = options.pop("strategy", "random"), options.pop("seed", 1)
    overrides = options.pop("overrides", {})
    result = simulate(variant, rounds, strategy=strategy, seed=seed, overrides=overrides)
    played = study(variant, strategy, seed, **overrides)
    with RecordsFile(path, result.rules, **options) as file:
        for at in range(0, rounds, chunk):
            file.write(play_recorded(played, at, min(at + chunk, rounds))[1])
        file.finish(header_of(result))
    return result


def record_matches(path, matches=20, chunk=20, variant="pagat-draw", target=50, **options):
    """Record a run of matches; its result."""
    strategy, seed = options.pop("strategy", "random"), options.pop("seed", 1)
    result = simulate_matches(variant, matches, target=target, strategy=strategy, seed=seed)
    played = study(variant, strategy, seed)
    with RecordsFile(path, result.rules, matches=True, **options) as file:
        for at in range(0, matches, chunk):
            stop = min(at + chunk, matches)
            file.write(play_recorded_matches(played, target, at, stop)[1])
        file.finish(header_of(result))
    return result
