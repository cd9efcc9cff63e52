// How long the machine itself stops: one thread for each processor reads the clock over and over, and
// notes how much time lies between two readings. The time in which the system ran another thread
// (schedstat) is subtracted, so that what is left was counted as the thread's own: interrupts, and
// whatever runs below the system. No turn of a server can be shorter than such a stop in its middle.
//
// usage: stalls SECONDS      prints the longest stop in milliseconds, and how many took more than one

#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { PROCESSORS_MAX = 64, LOOKED_AT_NANOSECONDS = 200000, NOTED_NANOSECONDS = 1000000 };

struct measured {
    pthread_t thread;
    int processor;
    uint64_t longest;
    int count;
};

static uint64_t end;

static uint64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

// For how many nanoseconds the thread was ready and another one ran.
static uint64_t waited(int file) {
    char text[96];
    ssize_t count = pread(file, text, sizeof text - 1, 0);
    unsigned long long ran = 0, waiting = 0;
    text[count > 0 ? count : 0] = 0;
    if (sscanf(text, "%llu %llu", &ran, &waiting) != 2) {
        perror("/proc/thread-self/schedstat");
        exit(1);
    }
    return waiting;
}

static void *measure(void *argument) {
    struct measured *measured = argument;
    cpu_set_t processors;
    CPU_ZERO(&processors);
    CPU_SET(measured->processor, &processors);
    sched_setaffinity(0, sizeof processors, &processors);
    int file = open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC);
    uint64_t before = waited(file);
    for (uint64_t last = now(), next; last < end; last = next) {
        next = now();
        if (next - last < LOOKED_AT_NANOSECONDS) continue;
        uint64_t others = waited(file), stop = next - last;
        stop = stop > others - before ? stop - (others - before) : 0;
        if (stop > measured->longest) measured->longest = stop;
        if (stop > NOTED_NANOSECONDS) measured->count++;
        before = others;
        next = now();
    }
    close(file);
    return NULL;
}

int main(int count, char **arguments) {
    double seconds = count == 2 ? strtod(arguments[1], NULL) : 0;
    if (!(seconds > 0)) {
        fprintf(stderr, "usage: stalls SECONDS\n");
        return 2;
    }
    static struct measured threads[PROCESSORS_MAX];
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    int running = processors < PROCESSORS_MAX ? (int)processors : PROCESSORS_MAX;
    uint64_t longest = 0;
    int stops = 0;
    end = now() + (uint64_t)(seconds * 1e9);
    for (int index = 0; index < running; index++) {
        threads[index].processor = index;
        if (pthread_create(&threads[index].thread, NULL, measure, &threads[index]) != 0) return 1;
    }
    for (int index = 0; index < running; index++) {
        pthread_join(threads[index].thread, NULL);
        if (threads[index].longest > longest) longest = threads[index].longest;
        stops += threads[index].count;
    }
    printf("%.1f %d\n", (double)longest / 1e6, stops);
    return 0;
}
