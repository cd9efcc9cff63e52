// Made by .ci/ui. Why this exists: the binary carries the files of ui/, and #embed takes no pattern.
#include "openapi.h"

// C23 has #embed; earlier standards get it as an extension of the compiler.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char file0[] = {
#embed "../../ui/app.css"
};

static const unsigned char file1[] = {
#embed "../../ui/app.js"
};

static const unsigned char file2[] = {
#embed "../../ui/index.html"
};

static const struct {
    const char *name;
    const void *bytes;
    long count;
} files[] = {
    {"app.css", file0, sizeof file0},
    {"app.js", file1, sizeof file1},
    {"index.html", file2, sizeof file2},
};

long traitd_ui_file_count(void) { return sizeof files / sizeof files[0]; }
const char *traitd_ui_file_name(long file) { return files[file].name; }
const void *traitd_ui_file_bytes(long file) { return files[file].bytes; }
long traitd_ui_file_byte_count(long file) { return files[file].count; }
