// What a disk has of a file, and what is on its way there: the model behind faulty_disk.c.
#pragma once
#include <stdint.h>

// A write or, with bytes NULL, a truncation that no flush has confirmed.
typedef struct Change {
    struct Change *next;
    int64_t offset, count;  // of a truncation, offset is the size
    unsigned char *bytes;
} Change;

// A file as it is on the disk, and what is on its way there.
typedef struct Image {
    struct Image *next;
    char *path;
    unsigned char *bytes;
    int64_t size, capacity;
    int64_t visibleSize;
    Change *first, **last;
} Image;

// Sets the size on the disk.
void imageResize(Image *image, int64_t size);
// Notes a write or, with bytes NULL, a truncation to `offset`.
void imageNote(Image *image, int64_t offset, const void *bytes, int64_t count);
// A flush has succeeded: all changes are on the disk.
void imageConfirm(Image *image);
// A flush has failed: no later one will write the changes.
void imageForget(Image *image);
// A file as it is now.
Image *imageMake(const char *path);
// Drops, tears or keeps each change by the state of a random generator, and writes the file. Returns the
// number of changes.
int64_t imageCut(Image *image, uint64_t *state);
