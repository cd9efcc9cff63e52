// The commit that the program is built from, and its time. Package.swift takes both from the variables TRAITD_COMMIT
// and TRAITD_DATE of a build; texts are empty without them.

#ifndef TRAITD_CBUILD_H
#define TRAITD_CBUILD_H

const char *_Nonnull traitd_commit(void);
const char *_Nonnull traitd_date(void);

#endif
