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
#embed "../../ui/changes.js"
};

static const unsigned char file3[] = {
#embed "../../ui/commits.js"
};

static const unsigned char file4[] = {
#embed "../../ui/dom.js"
};

static const unsigned char file5[] = {
#embed "../../ui/effects.js"
};

static const unsigned char file6[] = {
#embed "../../ui/icon.svg"
};

static const unsigned char file7[] = {
#embed "../../ui/index.html"
};

static const unsigned char file8[] = {
#embed "../../ui/keys.js"
};

static const unsigned char file9[] = {
#embed "../../ui/make.js"
};

static const unsigned char file10[] = {
#embed "../../ui/panes.js"
};

static const unsigned char file11[] = {
#embed "../../ui/plan.js"
};

static const unsigned char file12[] = {
#embed "../../ui/proposal.js"
};

static const unsigned char file13[] = {
#embed "../../ui/rows.js"
};

static const unsigned char file14[] = {
#embed "../../ui/server.js"
};

static const unsigned char file15[] = {
#embed "../../ui/session.js"
};

static const unsigned char file16[] = {
#embed "../../ui/stream.js"
};

static const unsigned char file17[] = {
#embed "../../ui/traits.js"
};

static const unsigned char file18[] = {
#embed "../../ui/tree.js"
};

static const unsigned char file19[] = {
#embed "../../ui/variants.js"
};

static const unsigned char file20[] = {
#embed "../../ui/words.js"
};

static const struct {
    const char *name;
    const void *bytes;
    long count;
} files[] = {
    {"app.css", file0, sizeof file0},
    {"app.js", file1, sizeof file1},
    {"changes.js", file2, sizeof file2},
    {"commits.js", file3, sizeof file3},
    {"dom.js", file4, sizeof file4},
    {"effects.js", file5, sizeof file5},
    {"icon.svg", file6, sizeof file6},
    {"index.html", file7, sizeof file7},
    {"keys.js", file8, sizeof file8},
    {"make.js", file9, sizeof file9},
    {"panes.js", file10, sizeof file10},
    {"plan.js", file11, sizeof file11},
    {"proposal.js", file12, sizeof file12},
    {"rows.js", file13, sizeof file13},
    {"server.js", file14, sizeof file14},
    {"session.js", file15, sizeof file15},
    {"stream.js", file16, sizeof file16},
    {"traits.js", file17, sizeof file17},
    {"tree.js", file18, sizeof file18},
    {"variants.js", file19, sizeof file19},
    {"words.js", file20, sizeof file20},
};

long traitd_ui_file_count(void) { return sizeof files / sizeof files[0]; }
const char *traitd_ui_file_name(long file) { return files[file].name; }
const void *traitd_ui_file_bytes(long file) { return files[file].bytes; }
long traitd_ui_file_byte_count(long file) { return files[file].count; }
