// Why this exists: the binary carries openapi.yaml, and C embeds a file when it is compiled. The
// compiler lists the file among the dependencies, so a change of it rebuilds this object.
#include "openapi.h"

// C23 has #embed; earlier standards get it as an extension of the compiler.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char document[] = {
#embed "../../openapi.yaml"
};

const void *traitd_openapi_bytes(void) { return document; }
long traitd_openapi_count(void) { return sizeof document; }
