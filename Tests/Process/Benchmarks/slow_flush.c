// A slower disk: preloaded, each fdatasync of the process takes FLUSH_MICROSECONDS longer.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <time.h>

static int (*flush)(int);
static struct timespec more;

__attribute__((constructor)) static void prepare(void) {
    flush = (int (*)(int))dlsym(RTLD_NEXT, "fdatasync");
    const char *text = getenv("FLUSH_MICROSECONDS");
    long microseconds = text ? atol(text) : 0;
    more.tv_sec = microseconds / 1000000;
    more.tv_nsec = microseconds % 1000000 * 1000;
}

int fdatasync(int descriptor) {
    nanosleep(&more, NULL);
    return flush(descriptor);
}
