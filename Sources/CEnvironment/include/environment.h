// The module has no interface: it works by being linked in.
