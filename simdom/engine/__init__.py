"""One round of dominoes, compiled: arrays in, arrays out, no objects and no input or output."""
