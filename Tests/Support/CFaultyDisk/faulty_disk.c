// A VFS whose calls fail as a test says, and whose files lose at a power cut what no flush has confirmed.

#define _GNU_SOURCE
#include "faulty_disk.h"
#include "image.h"
#include <poll.h>
#include <pthread.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

// MARK: state

struct FaultyDisk {
    sqlite3_vfs vfs;
    sqlite3_vfs *parent;
    pthread_mutex_t lock;
    Image *images;
    int64_t calls[FAULTY_KINDS];
    struct {
        int64_t from, times;
        int result;
    } faults[FAULTY_KINDS];
    int64_t room;
    // Set and read without the lock too.
    _Atomic int delay;
    _Atomic int lies;
    _Atomic int isCut;
    _Atomic int errorNumber;
    int64_t callsUntilCut;  // 0 for never
    uint64_t cutSeed;
};

static int64_t cut(FaultyDisk *disk, uint64_t seed);

typedef struct {
    sqlite3_file base;
    sqlite3_file *below;
    FaultyDisk *disk;
    Image *image;  // NULL for files that need not survive
} File;

static Image *imageOf(FaultyDisk *disk, const char *path) {
    for (Image *image = disk->images; image; image = image->next)
        if (strcmp(image->path, path) == 0) return image;
    Image *image = imageMake(path);
    image->next = disk->images;
    disk->images = image;
    return image;
}

// What the call is to fail with, SQLITE_OK for nothing.
static int fault(FaultyDisk *disk, int kind) {
    if (kind != FAULTY_READ && kind != FAULTY_SHORT_WRITE && disk->callsUntilCut > 0 &&
        --disk->callsUntilCut == 0)
        cut(disk, disk->cutSeed);
    if (disk->isCut) return SQLITE_IOERR;
    int64_t call = ++disk->calls[kind];
    if (call < disk->faults[kind].from || disk->faults[kind].times == 0) return SQLITE_OK;
    if (disk->faults[kind].times > 0) disk->faults[kind].times--;
    return disk->faults[kind].result;
}

// MARK: files

static File *of(sqlite3_file *file) { return (File *)file; }

static int fileClose(sqlite3_file *file) {
    sqlite3_file *below = of(file)->below;
    return below->pMethods ? below->pMethods->xClose(below) : SQLITE_OK;
}

static int fileRead(sqlite3_file *file, void *bytes, int count, sqlite3_int64 offset) {
    FaultyDisk *disk = of(file)->disk;
    pthread_mutex_lock(&disk->lock);
    int result = fault(disk, FAULTY_READ);
    pthread_mutex_unlock(&disk->lock);
    if (result != SQLITE_OK) return result;
    sqlite3_file *below = of(file)->below;
    return below->pMethods->xRead(below, bytes, count, offset);
}

static int64_t used(FaultyDisk *disk) {
    int64_t sum = 0;
    for (Image *image = disk->images; image; image = image->next) sum += image->visibleSize;
    return sum;
}

static int fileWrite(sqlite3_file *file, const void *bytes, int count, sqlite3_int64 offset) {
    FaultyDisk *disk = of(file)->disk;
    sqlite3_file *below = of(file)->below;
    Image *image = of(file)->image;
    pthread_mutex_lock(&disk->lock);
    int result = fault(disk, FAULTY_WRITE);
    int shortResult = fault(disk, FAULTY_SHORT_WRITE);
    if (result == SQLITE_OK && image && disk->room >= 0 && offset + count > image->visibleSize &&
        used(disk) + (offset + count - image->visibleSize) > disk->room)
        result = SQLITE_FULL;
    if (disk->isCut) result = SQLITE_IOERR;
    if (result == SQLITE_OK && shortResult != SQLITE_OK) count /= 2;
    if (result == SQLITE_OK && image) {
        if (offset + count > image->visibleSize) image->visibleSize = offset + count;
        imageNote(image, offset, bytes, count);
    }
    pthread_mutex_unlock(&disk->lock);
    if (result != SQLITE_OK) return result;
    result = below->pMethods->xWrite(below, bytes, count, offset);
    return result != SQLITE_OK ? result : shortResult;
}

static int fileTruncate(sqlite3_file *file, sqlite3_int64 size) {
    FaultyDisk *disk = of(file)->disk;
    sqlite3_file *below = of(file)->below;
    pthread_mutex_lock(&disk->lock);
    int result = fault(disk, FAULTY_TRUNCATE);
    if (result == SQLITE_OK && of(file)->image) {
        of(file)->image->visibleSize = size;
        imageNote(of(file)->image, size, NULL, 0);
    }
    pthread_mutex_unlock(&disk->lock);
    return result != SQLITE_OK ? result : below->pMethods->xTruncate(below, size);
}

static int fileSync(sqlite3_file *file, int flags) {
    (void)flags;
    FaultyDisk *disk = of(file)->disk;
    // What a slow disk costs: the caller has to wait.
    if (disk->delay) poll(NULL, 0, disk->delay / 1000);
    pthread_mutex_lock(&disk->lock);
    int result = fault(disk, FAULTY_FLUSH);
    Image *image = of(file)->image;
    if (image && !disk->isCut) {
        // The kernel has marked the pages as clean, so no later flush writes them.
        if (result != SQLITE_OK)
            imageForget(image);
        else if (!disk->lies)
            imageConfirm(image);
    }
    pthread_mutex_unlock(&disk->lock);
    // The real flush would only cost time: the process does not lose its files.
    return result;
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
    if (operation == SQLITE_FCNTL_LAST_ERRNO && of(file)->disk->errorNumber != 0) {
        *(int *)argument = of(file)->disk->errorNumber;
        return SQLITE_OK;
    }
    return below->pMethods->xFileControl(below, operation, argument);
}

static int fileSectorSize(sqlite3_file *file) {
    sqlite3_file *below = of(file)->below;
    return below->pMethods->xSectorSize(below);
}

static int fileCharacteristics(sqlite3_file *file) {
    (void)file;
    // A torn write leaves the bytes beside it as they were.
    return SQLITE_IOCAP_POWERSAFE_OVERWRITE;
}

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

static FaultyDisk *diskOf(sqlite3_vfs *vfs) { return vfs->pAppData; }

static int vfsOpen(sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags,
                   int *flagsOut) {
    FaultyDisk *disk = diskOf(vfs);
    File *opened = of(file);
    memset(opened, 0, sizeof *opened);
    opened->disk = disk;
    opened->below = (sqlite3_file *)(opened + 1);
    if (disk->isCut) return SQLITE_IOERR;
    pthread_mutex_lock(&disk->lock);
    if (name && flags & (SQLITE_OPEN_MAIN_DB | SQLITE_OPEN_WAL | SQLITE_OPEN_MAIN_JOURNAL))
        opened->image = imageOf(disk, name);
    pthread_mutex_unlock(&disk->lock);
    int result = disk->parent->xOpen(disk->parent, name, opened->below, flags, flagsOut);
    if (opened->below->pMethods) opened->base.pMethods = &methods;
    return result;
}

static int vfsDelete(sqlite3_vfs *vfs, const char *name, int syncs) {
    FaultyDisk *disk = diskOf(vfs);
    if (disk->isCut) return SQLITE_IOERR;
    pthread_mutex_lock(&disk->lock);
    for (Image **image = &disk->images; *image; image = &(*image)->next) {
        if (strcmp((*image)->path, name)) continue;
        // Open files may still point to it, so it is not freed.
        imageForget(*image);
        *image = (*image)->next;
        break;
    }
    pthread_mutex_unlock(&disk->lock);
    return disk->parent->xDelete(disk->parent, name, syncs);
}

static int vfsAccess(sqlite3_vfs *vfs, const char *name, int flags, int *out) {
    return diskOf(vfs)->parent->xAccess(diskOf(vfs)->parent, name, flags, out);
}

static int vfsFullPathname(sqlite3_vfs *vfs, const char *name, int count, char *out) {
    return diskOf(vfs)->parent->xFullPathname(diskOf(vfs)->parent, name, count, out);
}

static int vfsRandomness(sqlite3_vfs *vfs, int count, char *out) {
    return diskOf(vfs)->parent->xRandomness(diskOf(vfs)->parent, count, out);
}

static int vfsSleep(sqlite3_vfs *vfs, int microseconds) {
    return diskOf(vfs)->parent->xSleep(diskOf(vfs)->parent, microseconds);
}

static int vfsCurrentTime(sqlite3_vfs *vfs, double *out) {
    return diskOf(vfs)->parent->xCurrentTime(diskOf(vfs)->parent, out);
}

static int vfsGetLastError(sqlite3_vfs *vfs, int count, char *out) {
    return diskOf(vfs)->parent->xGetLastError(diskOf(vfs)->parent, count, out);
}

// MARK: what the test says

FaultyDisk *faulty_disk_make(const char *name) {
    sqlite3_initialize();
    FaultyDisk *disk = calloc(1, sizeof *disk);
    disk->parent = sqlite3_vfs_find(NULL);
    disk->room = -1;
    pthread_mutex_init(&disk->lock, NULL);
    sqlite3_vfs *vfs = &disk->vfs;
    vfs->iVersion = 1;
    vfs->szOsFile = (int)sizeof(File) + disk->parent->szOsFile;
    vfs->mxPathname = disk->parent->mxPathname;
    vfs->zName = strdup(name);
    vfs->pAppData = disk;
    vfs->xOpen = vfsOpen;
    vfs->xDelete = vfsDelete;
    vfs->xAccess = vfsAccess;
    vfs->xFullPathname = vfsFullPathname;
    vfs->xRandomness = vfsRandomness;
    vfs->xSleep = vfsSleep;
    vfs->xCurrentTime = vfsCurrentTime;
    vfs->xGetLastError = vfsGetLastError;
    sqlite3_vfs_register(vfs, 0);
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
    disk->room = bytes < 0 ? -1 : used(disk) + bytes;
    pthread_mutex_unlock(&disk->lock);
}

void faulty_disk_delay(FaultyDisk *disk, int microseconds) { disk->delay = microseconds; }

void faulty_disk_lies(FaultyDisk *disk, int lies) { disk->lies = lies; }

static int64_t cut(FaultyDisk *disk, uint64_t seed) {
    if (disk->isCut) return 0;
    disk->isCut = 1;
    int64_t unconfirmed = 0;
    uint64_t state = seed;
    for (Image *image = disk->images; image; image = image->next)
        unconfirmed += imageCut(image, &state);
    return unconfirmed;
}

int64_t faulty_disk_cut(FaultyDisk *disk, uint64_t seed) {
    pthread_mutex_lock(&disk->lock);
    int64_t unconfirmed = cut(disk, seed);
    pthread_mutex_unlock(&disk->lock);
    return unconfirmed;
}

void faulty_disk_cut_at(FaultyDisk *disk, int64_t nth, uint64_t seed) {
    pthread_mutex_lock(&disk->lock);
    disk->callsUntilCut = nth;
    disk->cutSeed = seed;
    pthread_mutex_unlock(&disk->lock);
}

int faulty_disk_is_cut(FaultyDisk *disk) { return disk->isCut; }
