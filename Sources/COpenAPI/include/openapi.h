// Why this exists: the way from Swift to the bytes of openapi.yaml, openapi.json, docs.html and traitd.js, and of
// the files of ui/.
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

/// The files of ui/, in the order of their names: how many, and of each its name and bytes.
long traitd_ui_file_count(void);
const char *traitd_ui_file_name(long file);
const void *traitd_ui_file_bytes(long file);
long traitd_ui_file_byte_count(long file);
