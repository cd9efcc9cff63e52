// Why this exists: zlib's init functions are C macros, which Swift does not import.
#pragma once
#include <zlib.h>

/// windowBits 15 + 16: a gzip (not zlib) wrapper. Memory level 8 is zlib's default.
static inline int traitd_deflateInit(z_stream *stream, int level) {
    return deflateInit2(stream, level, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
}
/// The same with a window of 4 KiB and little memory, about 32 KiB, for what stays open for long.
static inline int traitd_deflateInitSmall(z_stream *stream, int level) {
    return deflateInit2(stream, level, Z_DEFLATED, 12 + 16, 5, Z_DEFAULT_STRATEGY);
}
/// windowBits 15 + 16: accepts gzip and nothing else.
static inline int traitd_inflateInit(z_stream *stream) {
    return inflateInit2(stream, 15 + 16);
}
