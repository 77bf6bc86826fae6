"""What the presets must say, written down from the sources and not from the files."""

# name: (players, deal, boneyard, reserve, opening, block score, target, source)
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
