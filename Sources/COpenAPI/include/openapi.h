// Why this exists: the way from Swift to the bytes of openapi.yaml, openapi.json, docs.html and traitd.js.
#pragma once

const void *traitd_openapi_bytes(void);
/// How many bytes there are.
long traitd_openapi_count(void);
const void *traitd_openapi_json_bytes(void);
long traitd_openapi_json_count(void);
const void *traitd_docs_bytes(void);
long traitd_docs_count(void);
const void *traitd_client_bytes(void);
long traitd_client_count(void);
