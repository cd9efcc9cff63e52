/* The locks of sessions, seen from outside: a program that links this is asked before each of their sections. */
#pragma once

/**
 * Has `ask` called before a thread takes a lock of a session, while it holds none. It may let other fibers run. Set
 * once, before the first fiber.
 */
void traitd_locks_ask(void (*ask)(void));
