/* Fibers: stacks that one thread switches between. Swift has no way to exchange the stack of a thread. */
#pragma once
#include <stddef.h>

typedef struct traitd_fiber traitd_fiber;

/** Makes a fiber with a stack of so many bytes, below which nothing is mapped. NULL without memory. */
traitd_fiber *traitd_fiber_make(size_t stack_bytes);

/** What the fiber runs when it is entered next. The fiber is new, or its last body has ended. */
void traitd_fiber_prepare(traitd_fiber *fiber, void (*body)(void *context), void *context);

/** Runs the fiber on the calling thread until the fiber leaves. Returns 1 when its body has ended. */
int traitd_fiber_enter(traitd_fiber *fiber);

/** Goes back to where the fiber was entered. Called on the fiber; returns when it is entered again. */
void traitd_fiber_leave(traitd_fiber *fiber);

/** Returns the stack's memory. What the stack refers to is not released: nothing is unwound. */
void traitd_fiber_free(traitd_fiber *fiber);

/**
 * The return addresses of a fiber that has left, the innermost first, as far as its functions keep frame pointers.
 * Returns how many there are.
 */
int traitd_fiber_frames(const traitd_fiber *fiber, void **frames, int frames_max);

/** The name of the function at an address, or NULL with the file and the offset in it, as far as they are known. */
const char *traitd_fiber_symbol(void *address, const char **file, size_t *offset);
