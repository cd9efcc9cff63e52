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
#embed "../../ui/commits.js"
};

static const unsigned char file3[] = {
#embed "../../ui/dom.js"
};

static const unsigned char file4[] = {
#embed "../../ui/index.html"
};

static const unsigned char file5[] = {
#embed "../../ui/keys.js"
};

static const unsigned char file6[] = {
#embed "../../ui/rows.js"
};

static const unsigned char file7[] = {
#embed "../../ui/server.js"
};

static const unsigned char file8[] = {
#embed "../../ui/session.js"
};

static const unsigned char file9[] = {
#embed "../../ui/stream.js"
};

static const unsigned char file10[] = {
#embed "../../ui/traits.js"
};

static const unsigned char file11[] = {
#embed "../../ui/tree.js"
};

static const struct {
    const char *name;
    const void *bytes;
    long count;
} files[] = {
    {"app.css", file0, sizeof file0},
    {"app.js", file1, sizeof file1},
    {"commits.js", file2, sizeof file2},
    {"dom.js", file3, sizeof file3},
    {"index.html", file4, sizeof file4},
    {"keys.js", file5, sizeof file5},
    {"rows.js", file6, sizeof file6},
    {"server.js", file7, sizeof file7},
    {"session.js", file8, sizeof file8},
    {"stream.js", file9, sizeof file9},
    {"traits.js", file10, sizeof file10},
    {"tree.js", file11, sizeof file11},
};

long traitd_ui_file_count(void) { return sizeof files / sizeof files[0]; }
const char *traitd_ui_file_name(long file) { return files[file].name; }
const void *traitd_ui_file_bytes(long file) { return files[file].bytes; }
long traitd_ui_file_byte_count(long file) { return files[file].count; }
