// Checksums of database pages. SQLite verifies what is in its write-ahead log, but believes every
// bit of the database file. The last 8 bytes of each page are therefore reserved, and this VFS fills
// them on the way to the file and compares them on the way back. A page that differs is an I/O
// error, never an answer.
//
// The algorithm is XXH64 (the xxHash specification, 0.2.0) with the page's offset as its seed. It is
// part of the stored format.

#include "csqlite.h"
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum { COVERED = TRAITD_PAGE_BYTES - TRAITD_PAGE_CHECKSUM_BYTES };

// A file control of this VFS alone.
enum { CONTROL_DAMAGED_PAGE = 0x7472646d };

// MARK: the checksum

static const uint64_t P1 = 0x9E3779B185EBCA87u, P2 = 0xC2B2AE3D27D4EB4Fu,
                      P3 = 0x165667B19E3779F9u, P4 = 0x85EBCA77C2B2AE63u;

static inline uint64_t rotated(uint64_t value, int bits) {
    return (value << bits) | (value >> (64 - bits));
}

static inline uint64_t word(const unsigned char *bytes) {
    uint64_t value;
    memcpy(&value, bytes, 8);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    value = __builtin_bswap64(value);
#endif
    return value;
}

static inline uint64_t lane(uint64_t hash, uint64_t value) {
    return rotated(hash + value * P2, 31) * P1;
}

static inline uint64_t merged(uint64_t hash, uint64_t value) {
    return (hash ^ lane(0, value)) * P1 + P4;
}

uint64_t traitd_page_checksum(const void *page, uint64_t offset) {
    const unsigned char *bytes = page;
    uint64_t a = offset + P1 + P2, b = offset + P2, c = offset, d = offset - P1;
    size_t at = 0;
    for (; at + 32 <= COVERED; at += 32) {
        a = lane(a, word(bytes + at));
        b = lane(b, word(bytes + at + 8));
        c = lane(c, word(bytes + at + 16));
        d = lane(d, word(bytes + at + 24));
    }
    uint64_t hash = rotated(a, 1) + rotated(b, 7) + rotated(c, 12) + rotated(d, 18);
    hash = merged(merged(merged(merged(hash, a), b), c), d) + COVERED;
    // 4088 is 127 stripes of 32 bytes and three words.
    for (; at < COVERED; at += 8) {
        hash ^= lane(0, word(bytes + at));
        hash = rotated(hash, 27) * P1 + P4;
    }
    hash = (hash ^ (hash >> 33)) * P2;
    hash = (hash ^ (hash >> 29)) * P3;
    return hash ^ (hash >> 32);
}

int traitd_page_is_whole(const void *page, uint64_t offset) {
    return word((const unsigned char *)page + COVERED) == traitd_page_checksum(page, offset);
}

// MARK: files

typedef struct {
    sqlite3_file base;
    sqlite3_file *below;  // lies behind this structure
    int isDatabase;
    uint32_t damagedPage;
} File;

static File *of(sqlite3_file *file) { return (File *)file; }

static int fileClose(sqlite3_file *file) {
    sqlite3_file *below = of(file)->below;
    return below->pMethods ? below->pMethods->xClose(below) : SQLITE_OK;
}

static int fileRead(sqlite3_file *file, void *bytes, int count, sqlite3_int64 offset) {
    sqlite3_file *below = of(file)->below;
    int result = below->pMethods->xRead(below, bytes, count, offset);
    if (!of(file)->isDatabase || count < 512) return result;
    // Only a database that is being created ends before a page that SQLite reads; SQLite would
    // take a lost page for zeros.
    if (result == SQLITE_IOERR_SHORT_READ && offset > 0) {
        of(file)->damagedPage = (uint32_t)(offset / TRAITD_PAGE_BYTES) + 1;
        return SQLITE_IOERR_DATA;
    }
    if (result != SQLITE_OK) return result;
    // SQLite looks into the header with short reads; everything else it reads in whole pages.
    if (count == TRAITD_PAGE_BYTES && offset % TRAITD_PAGE_BYTES == 0 &&
        traitd_page_is_whole(bytes, (uint64_t)offset))
        return SQLITE_OK;
    of(file)->damagedPage = (uint32_t)(offset / TRAITD_PAGE_BYTES) + 1;
    return SQLITE_IOERR_DATA;
}

// SQLite takes ENOSPC alone for a full disk. A quota, and the largest size of a file, are as full.
static int writeBelow(sqlite3_file *below, const void *bytes, int count, sqlite3_int64 offset) {
    int result = below->pMethods->xWrite(below, bytes, count, offset);
    if (result != SQLITE_IOERR_WRITE) return result;
    int number = 0;
    if (below->pMethods->xFileControl(below, SQLITE_FCNTL_LAST_ERRNO, &number) != SQLITE_OK)
        return result;
    return number == EDQUOT || number == EFBIG || number == ENOSPC ? SQLITE_FULL : result;
}

static int fileWrite(sqlite3_file *file, const void *bytes, int count, sqlite3_int64 offset) {
    sqlite3_file *below = of(file)->below;
    if (!of(file)->isDatabase || count != TRAITD_PAGE_BYTES)
        return writeBelow(below, bytes, count, offset);
    unsigned char page[TRAITD_PAGE_BYTES];
    memcpy(page, bytes, COVERED);
    uint64_t checksum = traitd_page_checksum(bytes, (uint64_t)offset);
    for (int at = 0; at < 8; at++) page[COVERED + at] = (unsigned char)(checksum >> (8 * at));
    return writeBelow(below, page, count, offset);
}

static int fileTruncate(sqlite3_file *file, sqlite3_int64 size) {
    sqlite3_file *below = of(file)->below;
    return below->pMethods->xTruncate(below, size);
}

static int fileSync(sqlite3_file *file, int flags) {
    sqlite3_file *below = of(file)->below;
    return below->pMethods->xSync(below, flags);
}

static int fileSize(sqlite3_file *file, sqlite3_int64 *size) {
    sqlite3_file *below = of(file)->below;
    return below->pMethods->xFileSize(below, size);
}

static int fileLock(sqlite3_file *file, int level) {
    sqlite3_file *below = of(file)->below;
    return below->pMethods->xLock(below, level);
}

static int fileUnlock(sqlite3_file *file, int level) {
    sqlite3_file *below = of(file)->below;
    return below->pMethods->xUnlock(below, level);
}

static int fileCheckLock(sqlite3_file *file, int *isReserved) {
    sqlite3_file *below = of(file)->below;
    return below->pMethods->xCheckReservedLock(below, isReserved);
}

static int fileControl(sqlite3_file *file, int operation, void *argument) {
    sqlite3_file *below = of(file)->below;
    if (operation == CONTROL_DAMAGED_PAGE) {
        *(uint32_t *)argument = of(file)->damagedPage;
        return SQLITE_OK;
    }
    return below->pMethods->xFileControl(below, operation, argument);
}

static int fileSectorSize(sqlite3_file *file) {
    sqlite3_file *below = of(file)->below;
    return below->pMethods->xSectorSize(below);
}

static int fileCharacteristics(sqlite3_file *file) {
    sqlite3_file *below = of(file)->below;
    // SQLite would otherwise fill a transaction up to the end of a sector, and not flush what is beyond
    // it. Lost by a failed flush later on, those bytes would break the log before acknowledged commits.
    // All that is left of the assumption is that a torn write spares its neighbours.
    return below->pMethods->xDeviceCharacteristics(below) | SQLITE_IOCAP_POWERSAFE_OVERWRITE;
}

// Version 1: no shared memory, which an exclusive connection does not need, and no mapping.
static const sqlite3_io_methods methods = {
    .iVersion = 1,
    .xClose = fileClose,
    .xRead = fileRead,
    .xWrite = fileWrite,
    .xTruncate = fileTruncate,
    .xSync = fileSync,
    .xFileSize = fileSize,
    .xLock = fileLock,
    .xUnlock = fileUnlock,
    .xCheckReservedLock = fileCheckLock,
    .xFileControl = fileControl,
    .xSectorSize = fileSectorSize,
    .xDeviceCharacteristics = fileCharacteristics,
};

// MARK: the file system

static sqlite3_vfs *parentOf(sqlite3_vfs *vfs) { return vfs->pAppData; }

static int vfsOpen(sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags,
                   int *flagsOut) {
    sqlite3_vfs *parent = parentOf(vfs);
    File *opened = of(file);
    memset(opened, 0, sizeof *opened);
    opened->below = (sqlite3_file *)(opened + 1);
    opened->below->pMethods = NULL;
    opened->isDatabase = (flags & SQLITE_OPEN_MAIN_DB) != 0;
    int result = parent->xOpen(parent, name, opened->below, flags, flagsOut);
    if (opened->below->pMethods) opened->base.pMethods = &methods;
    return result;
}

static int vfsDelete(sqlite3_vfs *vfs, const char *name, int syncs) {
    return parentOf(vfs)->xDelete(parentOf(vfs), name, syncs);
}

static int vfsAccess(sqlite3_vfs *vfs, const char *name, int flags, int *out) {
    return parentOf(vfs)->xAccess(parentOf(vfs), name, flags, out);
}

static int vfsFullPathname(sqlite3_vfs *vfs, const char *name, int count, char *out) {
    return parentOf(vfs)->xFullPathname(parentOf(vfs), name, count, out);
}

static int vfsRandomness(sqlite3_vfs *vfs, int count, char *out) {
    return parentOf(vfs)->xRandomness(parentOf(vfs), count, out);
}

static int vfsSleep(sqlite3_vfs *vfs, int microseconds) {
    return parentOf(vfs)->xSleep(parentOf(vfs), microseconds);
}

static int vfsCurrentTime(sqlite3_vfs *vfs, double *out) {
    return parentOf(vfs)->xCurrentTime(parentOf(vfs), out);
}

static int vfsGetLastError(sqlite3_vfs *vfs, int count, char *out) {
    return parentOf(vfs)->xGetLastError(parentOf(vfs), count, out);
}

int traitd_register_checksums(const char *name, const char *parentName) {
    if (sqlite3_vfs_find(name)) return SQLITE_OK;
    sqlite3_vfs *parent = sqlite3_vfs_find(parentName);
    if (!parent) return SQLITE_NOTFOUND;
    // Never freed: SQLite keeps a registered VFS for as long as the process lives.
    sqlite3_vfs *vfs = calloc(1, sizeof *vfs);
    char *ownName = strdup(name);
    if (!vfs || !ownName) {
        free(vfs);
        free(ownName);
        return SQLITE_NOMEM;
    }
    vfs->iVersion = 1;
    vfs->szOsFile = (int)sizeof(File) + parent->szOsFile;
    vfs->mxPathname = parent->mxPathname;
    vfs->zName = ownName;
    vfs->pAppData = parent;
    vfs->xOpen = vfsOpen;
    vfs->xDelete = vfsDelete;
    vfs->xAccess = vfsAccess;
    vfs->xFullPathname = vfsFullPathname;
    vfs->xRandomness = vfsRandomness;
    vfs->xSleep = vfsSleep;
    vfs->xCurrentTime = vfsCurrentTime;
    vfs->xGetLastError = vfsGetLastError;
    return sqlite3_vfs_register(vfs, 0);
}

uint32_t traitd_damaged_page(sqlite3 *db) {
    uint32_t page = 0;
    sqlite3_file_control(db, "main", CONTROL_DAMAGED_PAGE, &page);
    return page;
}

int traitd_reserve_checksums(sqlite3 *db) {
    int count = TRAITD_PAGE_CHECKSUM_BYTES;
    return sqlite3_file_control(db, "main", SQLITE_FCNTL_RESERVE_BYTES, &count);
}

static int logGrew(void *pages, sqlite3 *db, const char *name, int count) {
    (void)db;
    (void)name;
    *(int *)pages = count;
    return SQLITE_OK;
}

void traitd_count_log_pages(sqlite3 *db, int *pages) { sqlite3_wal_hook(db, logGrew, pages); }
