/* The switch is the usual one of a cooperative thread: callee-saved registers go to the stack, and the stack pointer
   changes. Flags of floating point are common to all fibers, as nothing here changes them. */
#define _GNU_SOURCE
#include "fibers.h"

#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

struct traitd_fiber {
    /* The fiber's stack pointer while it does not run, and its caller's while it does. */
    void *own, *caller;
    char *memory;
    size_t bytes;
    void (*body)(void *context);
    void *context;
    int is_over;
    /* What Swift's runtime keeps of a task that does not run: the accesses that it has begun and not ended. */
    uintptr_t accesses[4];
};

/* Swift's runtime keeps open accesses in a list of the thread, to find two of one variable that overlap. For a task
   that goes on, and for one that pauses, it changes the list, so it does so for a fiber. */
void swift_task_enterThreadLocalContext(char *state);
void swift_task_exitThreadLocalContext(char *state);

/* Saves the registers, stores the stack pointer at `save`, and goes on where `load` was stored. */
void traitd_fiber_switch(void **save, void *load);
void traitd_fiber_begin(void);
void traitd_fiber_main(traitd_fiber *fiber);

/* Words that the switch keeps on the stack, the return address included; the place of the first argument's register,
   of the frame pointer and of the return address among them. */
#if defined(__x86_64__)
enum { KEPT = 7, ARGUMENT = 4, FRAME = 5, RETURN = 6 };
__asm__(".text\n .globl traitd_fiber_switch, traitd_fiber_begin\n traitd_fiber_switch:\n"
        "pushq %rbp\n pushq %rbx\n pushq %r12\n pushq %r13\n pushq %r14\n pushq %r15\n"
        "movq %rsp, (%rdi)\n movq %rsi, %rsp\n"
        "popq %r15\n popq %r14\n popq %r13\n popq %r12\n popq %rbx\n popq %rbp\n popq %rcx\n jmp *%rcx\n"
        "traitd_fiber_begin:\n"
        "movq %rbx, %rdi\n call traitd_fiber_main\n ud2\n");
#elif defined(__aarch64__)
#define KEPT_ON_ARM(move) \
    move " x19, x20, [sp]\n" move " x21, x22, [sp, #16]\n" move " x23, x24, [sp, #32]\n" \
    move " x25, x26, [sp, #48]\n" move " x27, x28, [sp, #64]\n" move " x29, x30, [sp, #80]\n" \
    move " d8, d9, [sp, #96]\n" move " d10, d11, [sp, #112]\n" \
    move " d12, d13, [sp, #128]\n" move " d14, d15, [sp, #144]\n"
enum { KEPT = 20, ARGUMENT = 0, FRAME = 10, RETURN = 11 };
__asm__(".text\n .globl traitd_fiber_switch, traitd_fiber_begin\n traitd_fiber_switch:\n"
        "sub sp, sp, #160\n"
        KEPT_ON_ARM("stp")
        "mov x9, sp\n str x9, [x0]\n mov sp, x1\n"
        KEPT_ON_ARM("ldp")
        "add sp, sp, #160\n ret\n"
        "traitd_fiber_begin:\n"
        "mov x0, x19\n bl traitd_fiber_main\n brk #1\n");
#else
#error "fibers are written for x86-64 and arm64"
#endif

void traitd_fiber_main(traitd_fiber *fiber) {
    fiber->body(fiber->context);
    fiber->is_over = 1;
    traitd_fiber_switch(&fiber->own, fiber->caller);
}

traitd_fiber *traitd_fiber_make(size_t stack_bytes) {
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    traitd_fiber *fiber = calloc(1, sizeof *fiber);
    if (fiber == NULL) return NULL;
    fiber->bytes = (stack_bytes + page - 1) / page * page + page;
    fiber->memory = mmap(NULL, fiber->bytes, PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
    if (fiber->memory != MAP_FAILED && mprotect(fiber->memory, page, PROT_NONE) == 0) return fiber;
    munmap(fiber->memory, fiber->bytes);
    free(fiber);
    return NULL;
}

void traitd_fiber_prepare(traitd_fiber *fiber, void (*body)(void *context), void *context) {
    /* Two words above, so that the stack is aligned to 16 bytes as after a call. */
    void **top = (void **)(fiber->memory + fiber->bytes) - 2 - KEPT;
    int i;
    for (i = 0; i < KEPT + 2; i++) top[i] = NULL;
    top[ARGUMENT] = fiber;
    top[RETURN] = (void *)(uintptr_t)traitd_fiber_begin;
    fiber->own = top;
    fiber->body = body;
    fiber->context = context;
    fiber->is_over = 0;
    for (i = 0; i < 4; i++) fiber->accesses[i] = 0;
}

int traitd_fiber_enter(traitd_fiber *fiber) {
    swift_task_enterThreadLocalContext((char *)fiber->accesses);
    traitd_fiber_switch(&fiber->caller, fiber->own);
    swift_task_exitThreadLocalContext((char *)fiber->accesses);
    return fiber->is_over;
}

void traitd_fiber_leave(traitd_fiber *fiber) { traitd_fiber_switch(&fiber->own, fiber->caller); }

void traitd_fiber_free(traitd_fiber *fiber) {
    munmap(fiber->memory, fiber->bytes);
    free(fiber);
}

int traitd_fiber_frames(const traitd_fiber *fiber, void **frames, int frames_max) {
    void **at = (void **)fiber->own, **end = (void **)(fiber->memory + fiber->bytes);
    void **frame = at[FRAME];
    int count = 0;
    if (count < frames_max) frames[count++] = at[RETURN];
    while (count < frames_max && frame > at && frame + 1 < end && frame[1] != NULL) {
        frames[count++] = frame[1];
        at = frame;
        frame = frame[0];
    }
    return count;
}

const char *traitd_fiber_symbol(void *address, const char **file, size_t *offset) {
    Dl_info info;
    if (dladdr(address, &info) == 0) return NULL;
    *file = info.dli_fname;
    *offset = (size_t)((char *)address - (char *)info.dli_fbase);
    return info.dli_sname;
}
