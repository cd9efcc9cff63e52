// Lets ThreadSanitizer see what Swift's Mutex does. Its fast paths are compiled into our own code and
// seen; but a thread that has to wait gets the lock inside the standard library, which is not
// instrumented, so that everything that the lock guards seems to be a race from then on.
//
// This is the waiting path once more, instrumented, under the library's name: the linker prefers it.
// It never registers a waiter with the kernel, so the library's path for waking is never taken. In
// builds for ThreadSanitizer only.

#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

// Synchronization._MutexHandle._lockSlow(_ selfId: UInt32); the handle is one word, 0 or its holder.
__attribute__((swiftcall)) void traitd_mutex_lock_slow(
    uint32_t thread, __attribute__((swift_context)) _Atomic(uint32_t) *word)
    __asm__("$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF");

__attribute__((swiftcall)) void traitd_mutex_lock_slow(
    uint32_t thread, __attribute__((swift_context)) _Atomic(uint32_t) *word) {
    uint32_t nobody = 0;
    while (!atomic_compare_exchange_weak_explicit(
        word, &nobody, thread, memory_order_acquire, memory_order_relaxed)) {
        nobody = 0;
        sched_yield();
    }
}

// Synchronization._MutexHandle._tryLockSlow() -> Bool, which asks the kernel for a lock that was held a
// moment before. A try may fail, so this one does.
__attribute__((swiftcall)) bool traitd_mutex_try_lock_slow(
    __attribute__((swift_context)) _Atomic(uint32_t) *word)
    __asm__("$s15Synchronization12_MutexHandleV12_tryLockSlowSbyF");

__attribute__((swiftcall)) bool traitd_mutex_try_lock_slow(
    __attribute__((swift_context)) _Atomic(uint32_t) *word) {
    (void)word;
    return false;
}
