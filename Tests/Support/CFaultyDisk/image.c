// Keeps apart what a flush has confirmed and what a power cut may lose; see image.h.

#define _GNU_SOURCE
#include "image.h"
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

void imageResize(Image *image, int64_t size) {
    if (size > image->capacity) {
        image->capacity = size * 2;
        image->bytes = realloc(image->bytes, (size_t)image->capacity);
    }
    if (size > image->size) memset(image->bytes + image->size, 0, (size_t)(size - image->size));
    image->size = size;
}

static void put(Image *image, int64_t offset, const unsigned char *bytes, int64_t count) {
    if (offset + count > image->size) imageResize(image, offset + count);
    memcpy(image->bytes + offset, bytes, (size_t)count);
}

void imageForget(Image *image) {
    for (Change *change = image->first, *next; change; change = next) {
        next = change->next;
        free(change->bytes);
        free(change);
    }
    image->first = NULL;
    image->last = &image->first;
}

void imageConfirm(Image *image) {
    for (Change *change = image->first; change; change = change->next) {
        if (change->bytes)
            put(image, change->offset, change->bytes, change->count);
        else
            imageResize(image, change->offset);
    }
    imageForget(image);
}

void imageNote(Image *image, int64_t offset, const void *bytes, int64_t count) {
    Change *change = calloc(1, sizeof *change);
    change->offset = offset;
    change->count = count;
    if (bytes) {
        change->bytes = malloc((size_t)count + 1);
        memcpy(change->bytes, bytes, (size_t)count);
    }
    *image->last = change;
    image->last = &change->next;
}

Image *imageMake(const char *path) {
    Image *image = calloc(1, sizeof *image);
    image->path = strdup(path);
    image->last = &image->first;
    int descriptor = open(path, O_RDONLY | O_CLOEXEC);
    if (descriptor >= 0) {
        struct stat status;
        fstat(descriptor, &status);
        imageResize(image, status.st_size);
        int64_t done = 0;
        while (done < image->size) {
            ssize_t got = pread(descriptor, image->bytes + done, (size_t)(image->size - done), done);
            if (got <= 0) break;
            done += got;
        }
        close(descriptor);
    }
    image->visibleSize = image->size;
    return image;
}

// SplitMix64.
static uint64_t next(uint64_t *state) {
    uint64_t value = *state += 0x9E3779B97F4A7C15u;
    value = (value ^ (value >> 30)) * 0xBF58476D1CE4E5B9u;
    value = (value ^ (value >> 27)) * 0x94D049BB133111EBu;
    return value ^ (value >> 31);
}

// Keeps some sectors of 512 bytes of a write.
static void tear(Image *image, const Change *change, uint64_t *state) {
    int64_t done = 0;
    while (done < change->count) {
        int64_t end = (change->offset + done) / 512 * 512 + 512 - change->offset;
        if (end > change->count) end = change->count;
        if (next(state) & 1) put(image, change->offset + done, change->bytes + done, end - done);
        done = end;
    }
}

int64_t imageCut(Image *image, uint64_t *state) {
    int64_t changes = 0;
    for (Change *change = image->first; change; change = change->next) {
        changes++;
        uint64_t choice = next(state) % 3;
        if (choice == 0) continue;
        if (!change->bytes)
            imageResize(image, change->offset);
        else if (choice == 1)
            put(image, change->offset, change->bytes, change->count);
        else
            tear(image, change, state);
    }
    imageForget(image);
    int descriptor = open(image->path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (descriptor < 0) return changes;
    int64_t done = 0;
    while (done < image->size) {
        ssize_t put = write(descriptor, image->bytes + done, (size_t)(image->size - done));
        if (put <= 0) break;
        done += put;
    }
    close(descriptor);
    return changes;
}
