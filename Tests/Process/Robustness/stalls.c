// How long the machine itself stops: on each processor a thread of the highest priority sleeps for a
// millisecond at a time and notes how late it comes back. No other thread keeps it waiting, so what is left
// is interrupts, the kernel's own work, and whatever runs below the system. A turn of a server in whose
// middle the machine stops takes that much longer.
//
// usage: stalls < PIPE       measures until its input ends; for each stop of more than a millisecond prints
//                            when it ended, in milliseconds since 1970, and how many it took; status 3
//                            without the right to the priority

#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

enum { PROCESSORS_MAX = 64, PRIORITY = 50, NANOSECONDS = 1000000 };

struct measured {
    pthread_t thread;
    int processor;
    int error;
};

static atomic_bool is_over;

static uint64_t now(clockid_t clock) {
    struct timespec time;
    clock_gettime(clock, &time);
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

static void *measure(void *argument) {
    struct measured *measured = argument;
    cpu_set_t processors;
    CPU_ZERO(&processors);
    CPU_SET(measured->processor, &processors);
    struct sched_param priority = {.sched_priority = PRIORITY};
    measured->error = sched_setaffinity(0, sizeof processors, &processors) != 0 ||
                      pthread_setschedparam(pthread_self(), SCHED_FIFO, &priority) != 0;
    while (!measured->error && !is_over) {
        uint64_t due = now(CLOCK_MONOTONIC) + NANOSECONDS;
        struct timespec time = {(time_t)(due / 1000000000u), (long)(due % 1000000000u)};
        while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, NULL) == EINTR) {}
        uint64_t late = now(CLOCK_MONOTONIC) - due;
        if (late > NANOSECONDS)
            printf("%.3f %.3f\n", (double)now(CLOCK_REALTIME) / 1e6, (double)late / 1e6);
    }
    return NULL;
}

int main(void) {
    static struct measured threads[PROCESSORS_MAX];
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    int running = processors < PROCESSORS_MAX ? (int)processors : PROCESSORS_MAX;
    for (int index = 0; index < running; index++) {
        threads[index].processor = index;
        if (pthread_create(&threads[index].thread, NULL, measure, &threads[index]) != 0) return 1;
    }
    char input;
    while (read(STDIN_FILENO, &input, 1) > 0) {}
    is_over = 1;
    int error = 0;
    for (int index = 0; index < running; index++) {
        pthread_join(threads[index].thread, NULL);
        error |= threads[index].error;
    }
    return error ? 3 : 0;
}
