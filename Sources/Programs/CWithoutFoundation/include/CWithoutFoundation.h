// Nothing to call: it only has to be linked.
