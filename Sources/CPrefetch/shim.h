// Why this exists: a walk knows where it will read next before it has read what says so. Swift
// spells no prefetch, and a read whose result nobody uses is left out by its compiler.
#pragma once

// Asks for the cache line. Any address will do; nothing is read and nothing waits.
static inline void traitd_prefetch(const void *address) { __builtin_prefetch(address); }
