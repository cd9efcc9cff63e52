// Counts what a program asks of the allocator, into a file that another one reads.
//
//     cc -O2 -shared -fPIC -o count_allocations.so count_allocations.c
//     ALLOCATIONS_FILE=count LD_PRELOAD=./count_allocations.so program
//
// The file holds one 64-bit number in the machine's byte order.

#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

static _Atomic uint64_t before_start;
static _Atomic uint64_t *counter = &before_start;

__attribute__((constructor)) static void start(void) {
    const char *path = getenv("ALLOCATIONS_FILE");
    int fd = path ? open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600) : -1;
    if (fd < 0) return;
    if (ftruncate(fd, sizeof *counter) == 0) {
        void *page = mmap(NULL, sizeof *counter, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
        if (page != MAP_FAILED) counter = page;
    }
    close(fd);
}

static void count(void) { atomic_fetch_add_explicit(counter, 1, memory_order_relaxed); }

void *malloc(size_t size) { return count(), __libc_malloc(size); }
void *calloc(size_t number, size_t size) { return count(), __libc_calloc(number, size); }
void *realloc(void *old, size_t size) { return count(), __libc_realloc(old, size); }
void *memalign(size_t unit, size_t size) { return count(), __libc_memalign(unit, size); }
void *aligned_alloc(size_t unit, size_t size) { return count(), __libc_memalign(unit, size); }

int posix_memalign(void **result, size_t unit, size_t size) {
    count();
    *result = __libc_memalign(unit, size);
    return *result ? 0 : ENOMEM;
}
