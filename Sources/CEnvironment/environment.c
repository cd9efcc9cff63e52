// Gives the process an empty environment where it has none. A preloaded library may call clearenv(), which
// leaves `environ` null, and Swift's runtime reads it without a look before `main` begins.

#include <stddef.h>
#include <unistd.h>

extern char **environ;

// Before the constructors without a priority, of which the runtime's is one.
__attribute__((constructor(101))) static void provide_environment(void) {
    static char *none[1];
    if (environ == NULL) environ = none;
}
