// Why this exists: the way from Swift to the bytes of openapi.yaml.
#pragma once

/// The document's first byte. It lives as long as the process.
const void *traitd_openapi_bytes(void);
/// The document's length in bytes, without a terminating zero.
long traitd_openapi_count(void);
