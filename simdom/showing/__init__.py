"""Single rounds for people: finding them in a run, telling them, drawing their line."""
