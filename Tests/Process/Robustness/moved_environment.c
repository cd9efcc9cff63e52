// A preloaded library that moves the environment of a process before its program begins, as libfaketime and
// agents that are injected into containers do. MOVED says how: "set" grows it, "clear" takes it away, "array"
// has it behind a zero word, and "words" behind what looks like other arguments.

#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

extern char **environ;

__attribute__((constructor)) static void begin(void) {
    static char *block[1000];
    const char *how = getenv("MOVED");
    if (how == NULL) return;
    int isArray = strcmp(how, "array") == 0, isWords = strcmp(how, "words") == 0;
    if (strcmp(how, "set") == 0) setenv("MOVED_FURTHER", "1", 1);
    if (strcmp(how, "clear") == 0) clearenv();
    if (!isArray && !isWords) return;
    for (int i = 0; i < 900 && environ[i]; i++) block[50 + i] = environ[i];
    if (isWords) {
        block[48] = "--version";
        block[47] = (char *)1;
    }
    environ = block + 50;
}
