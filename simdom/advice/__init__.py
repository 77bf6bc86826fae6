"""A round in progress from one seat's side: what it may play, what that is worth, what is known."""
