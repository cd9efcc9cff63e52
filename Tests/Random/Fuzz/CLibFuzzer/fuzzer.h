// The entry into libFuzzer for programs that bring their own main. Part of the toolchain's
// libclang_rt.fuzzer_no_main, which .ci/fuzz links.

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerRunDriver(
    int *argc, char ***argv, int (*callback)(const uint8_t *data, size_t size));
