// Why this exists: an event loop asks after each message whether its turn is over. The system's clock
// takes 50 ns to answer, which is a good part of a small request; the processor's counter takes 10.
// Swift does not spell it.
#pragma once
#include <stdint.h>
#include <time.h>

// A counter of constant rate. The rate is the caller's to find out.
static inline uint64_t traitd_ticks(void) {
#if defined(__x86_64__)
    return __builtin_ia32_rdtsc();
#elif defined(__aarch64__)
    uint64_t ticks;
    __asm__ volatile("mrs %0, cntvct_el0" : "=r"(ticks));
    return ticks;
#else
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
#endif
}
