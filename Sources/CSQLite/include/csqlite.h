// Why this exists: SQLite's destructor constants are C casts, which Swift does not import, and
// pages get their checksums from a VFS, which only C can write down plainly.
#pragma once
#include <sqlite3.h>
#include <stdint.h>

/// Bytes of a page, and those at its end that hold its checksum.
#define TRAITD_PAGE_BYTES 4096
#define TRAITD_PAGE_CHECKSUM_BYTES 8

/// Registers a VFS that puts a checksum into each page of a database and verifies it on each read.
/// The write-ahead log passes through; SQLite's own checksums cover it.
///
/// parent: the VFS below, NULL for the default one. Returns an SQLite result code; registering the
/// same name twice changes nothing.
int traitd_register_checksums(const char *name, const char *parent);

/// The checksum of a page of TRAITD_PAGE_BYTES that lies at `offset`. Covers all bytes but the last
/// TRAITD_PAGE_CHECKSUM_BYTES, and the offset: a page in a wrong place is found too.
uint64_t traitd_page_checksum(const void *page, uint64_t offset);

/// Whether the checksum at the end of the page is its own.
int traitd_page_is_whole(const void *page, uint64_t offset);

/// The number of the last page whose checksum did not match on a read of `db`; 0 when all did.
uint32_t traitd_damaged_page(sqlite3 *db);

/// Has a database that is created leave room for the checksums. To be called before anything else.
int traitd_reserve_checksums(sqlite3 *db);

/// Binds bytes that stay where they are until the statement has run.
static inline int traitd_bind_blob(sqlite3_stmt *statement, int index, const void *bytes,
                                   sqlite3_uint64 count) {
    return sqlite3_bind_blob64(statement, index, bytes ? bytes : "", count, SQLITE_STATIC);
}

/// Binds a text that SQLite copies.
static inline int traitd_bind_text(sqlite3_stmt *statement, int index, const char *text,
                                   sqlite3_uint64 count) {
    return sqlite3_bind_text64(statement, index, text ? text : "", count, SQLITE_TRANSIENT,
                               SQLITE_UTF8);
}

/// Which file a path leads to: 0, or -1 when that cannot be found out. Does not read the file's times, which
/// would make the next flush of the file write them.
int traitd_file_identity(const char *path, uint64_t *device, uint64_t *number);

/// Keeps the write-ahead log when the database is closed: a log that was refused stays as it is.
static inline int traitd_keep_log_on_close(sqlite3 *db) {
    return sqlite3_db_config(db, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, (int *)0);
}

/// The size of the write-ahead log in pages after each commit goes to `pages`.
void traitd_count_log_pages(sqlite3 *db, int *pages);
