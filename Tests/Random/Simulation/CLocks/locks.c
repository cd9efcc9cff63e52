/* The mutexes of sessions are adaptive or, in debug builds, check for errors. Their kind tells them from those of Swift's
   runtime and of libc, which must not give way. All fibers are one thread: what is held over a switch could never be
   taken. */
#define _GNU_SOURCE
#include "locks.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

static int (*real_lock)(pthread_mutex_t *), (*real_try)(pthread_mutex_t *), (*real_unlock)(pthread_mutex_t *);
static void (*before)(void);
/* Locks of sessions that are held now. */
static int held;

void traitd_locks_ask(void (*ask)(void)) { before = ask; }

static void find(void) {
    real_try = (int (*)(pthread_mutex_t *))dlsym(RTLD_NEXT, "pthread_mutex_trylock");
    real_unlock = (int (*)(pthread_mutex_t *))dlsym(RTLD_NEXT, "pthread_mutex_unlock");
    real_lock = (int (*)(pthread_mutex_t *))dlsym(RTLD_NEXT, "pthread_mutex_lock");
}

static int is_of_session(const pthread_mutex_t *mutex) {
    int kind = mutex->__data.__kind & 3;
    return before != NULL && (kind == PTHREAD_MUTEX_ADAPTIVE_NP || kind == PTHREAD_MUTEX_ERRORCHECK_NP);
}

int pthread_mutex_lock(pthread_mutex_t *mutex) {
    static const char text[] = "a session's lock is held over a wait\n";
    int code;
    if (real_lock == NULL) find();
    if (!is_of_session(mutex)) return real_lock(mutex);
    if (held == 0) before();
    code = real_try(mutex);
    if (code == EBUSY) {
        if (write(2, text, sizeof text - 1) < 0) _exit(2);
        abort();
    }
    if (code == 0) held++;
    return code;
}

int pthread_mutex_unlock(pthread_mutex_t *mutex) {
    if (real_unlock == NULL) find();
    if (is_of_session(mutex)) held--;
    return real_unlock(mutex);
}
