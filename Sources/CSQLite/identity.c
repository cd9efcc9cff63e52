// Which file a path leads to, asked in a way that leaves the next flush cheap.

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "csqlite.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>

// Linux since 6.13 gives a file whose times were read since its last change a new time of change at the
// next one, however soon. A flush then writes the file's inode too, one more wait for the disk. `stat`
// reads the times; `statx` need not.
int traitd_file_identity(const char *path, uint64_t *device, uint64_t *number) {
#ifdef __linux__
    struct statx status;
    if (statx(AT_FDCWD, path, 0, STATX_INO, &status) == 0) {
        *device = (uint64_t)status.stx_dev_major << 32 | status.stx_dev_minor;
        *number = status.stx_ino;
        return 0;
    }
    // A system that forbids the call.
    if (errno != ENOSYS && errno != EPERM) return -1;
#endif
    struct stat known;
    if (stat(path, &known) != 0) return -1;
    *device = (uint64_t)known.st_dev;
    *number = (uint64_t)known.st_ino;
    return 0;
}
