// The default VFS with other writes, truncations and flushes; see faulty_disk.h.

#define _GNU_SOURCE
#include "faulty_disk.h"
#include <poll.h>
#include <pthread.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

struct FaultyDisk {
    sqlite3_vfs vfs;
    pthread_mutex_t lock;
    int64_t calls[FAULTY_KINDS];
    struct {
        int64_t from, times;
        int result;
    } faults[FAULTY_KINDS];
    int64_t room;
    // Read without the lock too.
    _Atomic int delay;
    _Atomic int errorNumber;
};

// What a file has behind what the default VFS keeps of it.
typedef struct {
    sqlite3_io_methods own;
    const sqlite3_io_methods *real;
    FaultyDisk *disk;
    int takesRoom;
} Extra;

static sqlite3_vfs *parent;

static int extraOffset(void) { return (parent->szOsFile + 15) / 16 * 16; }

static Extra *of(sqlite3_file *file) { return (Extra *)((char *)file + extraOffset()); }

// What the call is to fail with, SQLITE_OK for nothing.
static int fault(FaultyDisk *disk, int kind) {
    int64_t call = ++disk->calls[kind];
    if (call < disk->faults[kind].from || disk->faults[kind].times == 0) return SQLITE_OK;
    if (disk->faults[kind].times > 0) disk->faults[kind].times--;
    return disk->faults[kind].result;
}

// Takes the room for a file of that size, or gives some back. Returns whether there is enough.
static int resize(sqlite3_file *file, sqlite3_int64 size, int isWrite) {
    FaultyDisk *disk = of(file)->disk;
    if (disk->room < 0 || !of(file)->takesRoom) return 1;
    sqlite3_int64 before = 0;
    of(file)->real->xFileSize(file, &before);
    if (isWrite && size <= before) return 1;
    if (size - before > disk->room) return 0;
    disk->room -= size - before;
    return 1;
}

static int fileWrite(sqlite3_file *file, const void *bytes, int count, sqlite3_int64 offset) {
    FaultyDisk *disk = of(file)->disk;
    pthread_mutex_lock(&disk->lock);
    int result = fault(disk, FAULTY_WRITE);
    if (result == SQLITE_OK && !resize(file, offset + count, 1)) result = SQLITE_FULL;
    pthread_mutex_unlock(&disk->lock);
    if (result != SQLITE_OK) return result;
    return of(file)->real->xWrite(file, bytes, count, offset);
}

static int fileTruncate(sqlite3_file *file, sqlite3_int64 size) {
    FaultyDisk *disk = of(file)->disk;
    pthread_mutex_lock(&disk->lock);
    resize(file, size, 0);
    pthread_mutex_unlock(&disk->lock);
    return of(file)->real->xTruncate(file, size);
}

static int fileSync(sqlite3_file *file, int flags) {
    (void)flags;
    FaultyDisk *disk = of(file)->disk;
    // What a slow disk costs: the caller has to wait.
    if (disk->delay) poll(NULL, 0, disk->delay / 1000);
    pthread_mutex_lock(&disk->lock);
    int result = fault(disk, FAULTY_FLUSH);
    pthread_mutex_unlock(&disk->lock);
    return result;
}

static int fileControl(sqlite3_file *file, int operation, void *argument) {
    if (operation == SQLITE_FCNTL_LAST_ERRNO && of(file)->disk->errorNumber != 0) {
        *(int *)argument = of(file)->disk->errorNumber;
        return SQLITE_OK;
    }
    return of(file)->real->xFileControl(file, operation, argument);
}

static int vfsOpen(sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags,
                   int *flagsOut) {
    int result = parent->xOpen(parent, name, file, flags, flagsOut);
    if (!file->pMethods) return result;
    Extra *extra = of(file);
    extra->real = file->pMethods;
    extra->disk = (FaultyDisk *)vfs;
    extra->takesRoom =
        (flags & (SQLITE_OPEN_MAIN_DB | SQLITE_OPEN_WAL | SQLITE_OPEN_MAIN_JOURNAL)) != 0;
    extra->own = *extra->real;
    // Without mapped memory, which no call would show.
    extra->own.iVersion = 1;
    extra->own.xWrite = fileWrite;
    extra->own.xTruncate = fileTruncate;
    extra->own.xSync = fileSync;
    extra->own.xFileControl = fileControl;
    file->pMethods = &extra->own;
    return result;
}

FaultyDisk *faulty_disk_make(const char *name) {
    sqlite3_initialize();
    parent = sqlite3_vfs_find(NULL);
    FaultyDisk *disk = calloc(1, sizeof *disk);
    disk->room = -1;
    pthread_mutex_init(&disk->lock, NULL);
    disk->vfs = *parent;
    disk->vfs.pNext = NULL;
    disk->vfs.szOsFile = extraOffset() + (int)sizeof(Extra);
    disk->vfs.zName = strdup(name);
    disk->vfs.xOpen = vfsOpen;
    sqlite3_vfs_register(&disk->vfs, 0);
    return disk;
}

void faulty_disk_fail(FaultyDisk *disk, int kind, int64_t nth, int64_t times, int result) {
    pthread_mutex_lock(&disk->lock);
    disk->faults[kind].from = disk->calls[kind] + nth;
    disk->faults[kind].times = times;
    disk->faults[kind].result = result;
    pthread_mutex_unlock(&disk->lock);
}

void faulty_disk_error_number(FaultyDisk *disk, int number) { disk->errorNumber = number; }

int64_t faulty_disk_calls(FaultyDisk *disk, int kind) {
    pthread_mutex_lock(&disk->lock);
    int64_t calls = disk->calls[kind];
    pthread_mutex_unlock(&disk->lock);
    return calls;
}

void faulty_disk_room(FaultyDisk *disk, int64_t bytes) {
    pthread_mutex_lock(&disk->lock);
    disk->room = bytes;
    pthread_mutex_unlock(&disk->lock);
}

void faulty_disk_delay(FaultyDisk *disk, int microseconds) { disk->delay = microseconds; }
