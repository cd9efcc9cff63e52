// A VFS for SQLite whose writes and flushes fail as a test says. A flush takes no time: a process does not lose its files.
#pragma once
#include <stdint.h>

typedef struct FaultyDisk FaultyDisk;

enum { FAULTY_WRITE, FAULTY_FLUSH, FAULTY_KINDS };

/// Registers a disk as an SQLite VFS of that name, over the default one. Never freed, as SQLite keeps
/// a VFS for as long as the process lives.
FaultyDisk *faulty_disk_make(const char *name);

/// Calls of the kind, from the `nth` from now on (1 is the next), fail so often with an SQLite result.
void faulty_disk_fail(FaultyDisk *disk, int kind, int64_t nth, int64_t times, int result);

/// The system's error number that calls which fail leave behind; 0 for none.
void faulty_disk_error_number(FaultyDisk *disk, int number);

/// How many calls of the kind there were.
int64_t faulty_disk_calls(FaultyDisk *disk, int kind);

/// By so many bytes the files may grow; below 0 for no limit.
void faulty_disk_room(FaultyDisk *disk, int64_t bytes);

/// Each flush takes so long.
void faulty_disk_delay(FaultyDisk *disk, int microseconds);
