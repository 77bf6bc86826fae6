"""The readable rounds under tests/transcripts: what they are called, and how they are made.

``python tests/transcript_files.py`` writes those that are missing.
"""

import re
import shlex
from pathlib import Path

from simdom.showing.finding import find_round, parse_wanted
from simdom.simulate import study_of
from simdom.transcripts.recording import transcribe, transcribe_match
from simdom.transcripts.writing import write_transcript
from simdom.variants import load_variant, variant_names

FOLDER = Path(__file__).parent / "transcripts"
FIRST = re.compile(r"# (simdom show .*)\n")


def path_of(variant, players):
    return FOLDER / f"{variant}-{players}.txt"


def replay(command):
    """The transcript that a command of `simdom show` prints, without the command line."""
    words = shlex.split(command)
    options = dict(zip(words[2::2], words[3::2], strict=True))
    variant = load_variant(options["--variant"])
    study = study_of(
        variant.rules(int(options["--players"])), options["--strategy"], int(options["--seed"])
    )
    if "--match" in options:
        target = variant.target(study.rules.players)
        return transcribe_match(variant.name, study, target, int(options["--match"]))
    return transcribe(variant.name, study, int(options["--round"]))[0]


def _wanted(number, rules):
    """Something worth reading, and not always the same."""
    draws = "draws>=2," if rules.boneyard else ""
    return f"{draws}{'blocked' if number % 2 else 'domino'},passes>=1"


def write_missing():
    FOLDER.mkdir(exist_ok=True)
    number = 0
    for name in variant_names():
        variant = load_variant(name)
        for players in {variant.players[0], variant.players[-1]}:
            number += 1
            if path_of(name, players).exists():
                continue
            strategy = "random" if number % 3 else "normal"
            study = study_of(variant.rules(players), strategy, 7)
            wanted = parse_wanted(_wanted(number, study.rules), study.rules)
            index = find_round(study, wanted, 10_000)
            command = (
                f"simdom show --variant {name} --players {players} --strategy {strategy} "
                f"--seed 7 --round {index} --format transcript"
            )
            text = f"# {command}\n{write_transcript(replay(command))}"
            path_of(name, players).write_text(text, encoding="utf-8")
    for name in ("brazilian-6", "cuban-east"):
        path = FOLDER / f"match-{name}.txt"
        if not path.exists():
            players = load_variant(name).players[0]
            command = (
                f"simdom show --variant {name} --players {players} --strategy normal --seed 7 "
                "--match 2 --format transcript"
            )
            text = f"# {command}\n{write_transcript(replay(command))}"
            path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    write_missing()
