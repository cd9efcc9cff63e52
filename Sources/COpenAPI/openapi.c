// Why this exists: the binary carries openapi.yaml, the same as JSON, a page that shows it, and the client in
// JavaScript, and C embeds files when it is compiled. The compiler lists the files among the dependencies, so a change of one rebuilds
// this object.
#include "openapi.h"

// C23 has #embed; earlier standards get it as an extension of the compiler.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char yaml[] = {
#embed "../../openapi.yaml"
};

static const unsigned char json[] = {
#embed "openapi.json"
};

static const unsigned char page[] = {
#embed "docs.html"
};

static const unsigned char client[] = {
#embed "../../clients/js/traitd.js"
};

const void *traitd_openapi_bytes(void) { return yaml; }
long traitd_openapi_count(void) { return sizeof yaml; }
const void *traitd_openapi_json_bytes(void) { return json; }
long traitd_openapi_json_count(void) { return sizeof json; }
const void *traitd_docs_bytes(void) { return page; }
long traitd_docs_count(void) { return sizeof page; }
const void *traitd_client_bytes(void) { return client; }
long traitd_client_count(void) { return sizeof client; }
