// A VFS for SQLite that behaves as disks do when power fails and when calls fail.
//
// Between a write and the next flush of its file, a disk may have the write, a part of it, or nothing.
// A flush that fails leaves the writes visible to reads, and loses them at the power cut even if a
// later flush of other writes succeeds.
#pragma once
#include <stdint.h>

typedef struct FaultyDisk FaultyDisk;

enum { FAULTY_READ, FAULTY_WRITE, FAULTY_FLUSH, FAULTY_TRUNCATE, FAULTY_SHORT_WRITE, FAULTY_KINDS };

/// Registers a disk as an SQLite VFS of that name, over the default one. Never freed, as SQLite keeps
/// a VFS for as long as the process lives.
FaultyDisk *faulty_disk_make(const char *name);

/// Calls of the kind, from the `nth` from now on (1 is the next), fail so often with an SQLite result.
/// A short write writes half of the bytes and fails.
void faulty_disk_fail(FaultyDisk *disk, int kind, int64_t nth, int64_t times, int result);

/// The system's error number that calls which fail leave behind; 0 for none.
void faulty_disk_error_number(FaultyDisk *disk, int number);

/// How many calls of the kind there were.
int64_t faulty_disk_calls(FaultyDisk *disk, int kind);

/// So many bytes fit onto the disk; below 0 for no limit.
void faulty_disk_room(FaultyDisk *disk, int64_t bytes);

/// Each flush takes so long.
void faulty_disk_delay(FaultyDisk *disk, int microseconds);

/// Whether flushes do nothing and say that they succeeded: a disk that lies.
void faulty_disk_lies(FaultyDisk *disk, int lies);

/// Cuts the power: every write that no flush has confirmed is dropped, torn or kept at random, and
/// every further call fails. The files are then what is on the disk. Returns how many writes were
/// not confirmed.
int64_t faulty_disk_cut(FaultyDisk *disk, uint64_t seed);

/// Cuts the power when the nth write, flush or truncation from now on begins.
void faulty_disk_cut_at(FaultyDisk *disk, int64_t nth, uint64_t seed);

int faulty_disk_is_cut(FaultyDisk *disk);
