"""Pictures: data in, bytes of a file out, in one style."""
