// The allocator's own figures and settings, which Swift's Glibc module does not export.

#ifndef TRAITD_CMALLOC_SHIM_H
#define TRAITD_CMALLOC_SHIM_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <malloc.h>
#include <stddef.h>
#include <sys/mman.h>

/// Bytes that the program has allocated and not freed, and bytes that the allocator keeps for later.
/// Walks the allocator's lists of free blocks.
static inline void traitd_malloc_figures(size_t *used, size_t *kept) {
    struct mallinfo2 figures = mallinfo2();
    *used = figures.uordblks + figures.hblkhd;
    *kept = figures.fordblks;
}

/// Gives whole free pages back to the system.
static inline int traitd_malloc_trim(void) { return malloc_trim(0); }

/// Blocks from `bytes` on are mapped by themselves and go back to the system when they are freed. Without
/// this, freeing one large block teaches the allocator to keep all that are smaller.
static inline int traitd_malloc_map_from(int bytes) {
    return mallopt(M_MMAP_THRESHOLD, bytes) && mallopt(M_TRIM_THRESHOLD, 4 * bytes);
}

/// Threads share so many pools of small blocks; otherwise there are up to eight for each processor. A pool reserves
/// 64 MiB of addresses.
static inline int traitd_malloc_pools(int most) { return mallopt(M_ARENA_MAX, most); }

/// Makes a block of `mmap` larger, elsewhere if need be; NULL where there is no room. Copies no page.
static inline void *traitd_remap(void *block, size_t bytes, size_t wanted) {
    void *moved = mremap(block, bytes, wanted, MREMAP_MAYMOVE);
    return moved == MAP_FAILED ? NULL : moved;
}

#endif
