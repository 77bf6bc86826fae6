"""What the presets must say, written down from the sources and not from the files."""

# The base games. name: (players, deal, boneyard, reserve, opening, block score, target, source)
PRESETS = {
    "pagat-block": (
        [2, 3, 4], [7, 5, 5], "block", 0, "highest_double", "minus_own", [100, 61, 61], "S3",
    ),
    "pagat-draw": (
        [2, 3, 4], [7, 7, 6], "draw", 2, "highest_double", "minus_own", [100, 61, 61], "S3",
    ),
    "household-draw": (
        [2, 3, 4], [7, 5, 5], "draw", 2, "highest_double", "others", [100, 61, 61], "S3",
    ),
    "household-block": (
        [2, 3, 4], [7, 5, 5], "block", 0, "highest_double", "others", [100, 61, 61], "S3",
    ),
    "individual-draw": (
        [2, 3, 4], [7, 7, 6], "draw", 0, "highest_double", "minus_own", [100, 100, 100], "S0",
    ),
    "simple-draw": (
        [2, 3, 4], [7, 5, 5], "draw", 0, "highest_double", "others", [100, 100, 100], "S1",
    ),
    "portal-draw": (
        [2, 3, 4], [7, 7, 6], "draw", 0, "lot", "all_hands", [100, 100, 100], "S2",
    ),
    "app-draw": (
        [2, 3, 4], [7, 5, 5], "draw", 0, "first_seat", "others", [100, 100, 100], "S4",
    ),
    "pagat-draw-lot": (
        [2, 3, 4], [7, 7, 6], "draw", 2, "lot", "minus_own", [100, 61, 61], "pagat",
    ),
    "draw-one": ([2], [7], "draw_one_play", 0, "highest_double", "others", [100], "S0"),
}  # fmt: skip

# What else the base games set; individual-draw says the defaults.
LATER = {"app-draw": {"later_lead": "winner"}}

NAMED = {"opening": "named_double", "named_double": 6}
PAIRS = {"teams": "pairs", "deal": 7}
OPPONENTS = {"domino_score": "opponents", "block_score": "opponents"}
ALL_HANDS = {"domino_score": "all_hands", "block_score": "all_hands"}
FLAT = {"domino_score": "flat", "block_score": "flat"}
TEAM = {"block_winner": "lightest_team"}
ROUND = {"later_lead": "next_seat", "tie_lead": "next_seat"}
WINNER = {"later_lead": "winner"}
TEAM_LEADS = {"later_lead": "winning_team"}

# The dominoes of the world, all of them without a boneyard that is drawn.
# name: (country, players, target, source, toggles that differ from the defaults; one value, or one
# for each number of players)
WORLD = {
    "block-8-minus": (None, [2, 3, 4], 100, "SPZ", {"deal": [6, 5, 4], "block_score": "others"}),
    "block-multi": (
        None, [2, 3, 4, 5, 6, 7, 8, 9, 10], 100, "DGG",
        {
            "max_pip": [6, 6, 6, 9, 9, 9, 12, 12, 12],
            "deal": 7, "block_score": "per_heavier", "block_tie": "split",
        },
    ),
    "brazilian-100": (
        "Brazil", [4], 100, "BRA",
        PAIRS | NAMED | OPPONENTS | {"misdeal": 4, "block_tie": "blocker_loses"},
    ),
    "brazilian-6": (
        "Brazil", [4], 6, "BRA",
        PAIRS | NAMED | FLAT | {
            "misdeal": 4, "block_tie": "blocker_loses", "capicua": "no_doubles",
            "capicua_points": 2, "crossed_points": 4, "double_out_points": 1,
        },
    ),
    "cuban-east": (
        "Cuba", [4], 20, "LIB",
        PAIRS | ALL_HANDS | TEAM_LEADS | {
            "opening": "lot", "block_tie": "opener", "pip_steps": "from_21",
        },
    ),
    "cuban-nine": (
        "Cuba", [4], 100, "PCU",
        PAIRS | OPPONENTS | TEAM | TEAM_LEADS | {
            "max_pip": 9, "deal": 10, "opening": "lot", "misdeal": 5,
        },
    ),
    "cutthroat-twenty": (
        None, [4], 200, "EVC", NAMED | FLAT | {"deal": 6, "flat_points": 20, "block_tie": "split"},
    ),
    "dominican-club": (
        "Dominican Republic", [4], 200, "DOM", PAIRS | NAMED | OPPONENTS | TEAM | WINNER,
    ),
    "dominican-patio": (
        "Dominican Republic", [4], 200, "DOM",
        PAIRS | NAMED | ALL_HANDS | WINNER | {
            "block_tie": "opener", "capicua": "different_ends", "capicua_points": 25,
            "blank_out_points": 25, "pass_round_points": 25,
        },
    ),
    "jamaican-cutthroat": (
        "Jamaica", [2, 3, 4], 6, "PCA",
        NAMED | FLAT | WINNER | {"deal": [14, 9, 7], "block_tie": "replay_double"},
    ),
    "jamaican-partner": (
        "Jamaica", [4], 6, "PCA",
        PAIRS | NAMED | FLAT | TEAM_LEADS | {
            "block_tie": "replay_double", "others_points": "reset",
        },
    ),
    "martinique-three": ("Martinique", [3], 3, "MTQ", FLAT | WINNER | {"deal": 7}),
    "partner-pagat": (None, [4], 100, "GP", PAIRS | NAMED | OPPONENTS | TEAM | ROUND),
    "partner-spain": (
        "Spain", [4], 300, "FED", PAIRS | ALL_HANDS | TEAM | ROUND | {"opening": "lot"},
    ),
    "puerto-rico-200": (
        "Puerto Rico", [4], 20, "PRD",
        PAIRS | NAMED | WINNER | {
            "domino_score": "all_hands", "block_score": "others", "pip_steps": "from_15",
            "tie_lead": "same_opener",
        },
    ),
    "puerto-rico-500": (
        "Puerto Rico", [4], 500, "SACI",
        PAIRS | NAMED | ALL_HANDS | TEAM | WINNER | {
            "capicua": "no_doubles", "capicua_points": 100, "blank_out_points": 100,
            "early_bonus": 100, "early_rounds": 4,
        },
    ),
    "texas-doubles": (
        "United States", [4], 250, "TXT", PAIRS | OPPONENTS | TEAM | ROUND | {"opening": "lot"},
    ),
}  # fmt: skip


def of_world(name: str, players: int) -> dict[str, int | str]:
    """The toggles of a rule set of the world that differ from the defaults, for so many players."""
    _, counts, _, _, toggles = WORLD[name]
    place = counts.index(players)
    return {
        toggle: value[place] if isinstance(value, list) else value
        for toggle, value in toggles.items()
    }
