// Deadlines are a module of their own, which tests without sockets use as well.

@_exported import Waiting
