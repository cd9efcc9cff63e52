// Why this exists: the way from Swift to the bytes of openapi.yaml, openapi.json and docs.html.
#pragma once

const void *traitd_openapi_bytes(void);
/// How many bytes there are.
long traitd_openapi_count(void);
const void *traitd_openapi_json_bytes(void);
long traitd_openapi_json_count(void);
const void *traitd_docs_bytes(void);
long traitd_docs_count(void);
