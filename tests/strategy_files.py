"""Strategies of one's own, in files."""

from pathlib import Path


def write_strategy(path: Path, **weights: float) -> str:
    """Write a strategy with these weights, in a folder that may have to be made; its path."""
    path.parent.mkdir(exist_ok=True)
    lines = [f"{name} = {weight}" for name, weight in weights.items()]
    head = ['title = "Mine"', 'description = "Mine."', "[weights]"]
    path.write_text("\n".join([*head, *lines]), encoding="utf-8")
    return str(path)
