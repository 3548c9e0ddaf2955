// Nothing to include: the target is linked for its one symbol.
