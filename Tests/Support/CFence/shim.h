// Why this exists: the benchmark distinguishes reads that overlap from reads that stand alone, and times
// single events of a few nanoseconds. Swift spells neither a load fence nor a cycle counter.
#pragma once
#include <stdint.h>

// Nothing behind it starts before everything ahead of it has its operands.
static inline void bench_fence(void) {
#if defined(__x86_64__)
    __builtin_ia32_lfence();
#elif defined(__aarch64__)
    __asm__ volatile("dsb ishld\n\tisb" ::: "memory");
#else
#error "bench_fence: unknown processor"
#endif
}

// A counter of constant rate, read in program order.
static inline uint64_t bench_ticks(void) {
    bench_fence();
#if defined(__x86_64__)
    uint64_t ticks = __builtin_ia32_rdtsc();
#elif defined(__aarch64__)
    uint64_t ticks;
    __asm__ volatile("mrs %0, cntvct_el0" : "=r"(ticks));
#endif
    bench_fence();
    return ticks;
}
