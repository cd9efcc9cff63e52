// A file of its own, so that a new commit compiles nothing else.

#include "CBuild.h"

const char *traitd_commit(void) { return TRAITD_COMMIT; }
const char *traitd_date(void) { return TRAITD_DATE; }
