// Memory for what the host hands over and for texts that are made here: an arena that is there from the start, then the heap.
//
// Every call meets a fresh instance, and an instance whose memory grows makes the host change the protection of its pages. A short
// call that never grows is over sooner. Pages of the arena that nobody touches cost nothing.
#include "memory.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

// Enough for a hook on an event of 64 KiB.
#define ARENA_BYTES ((size_t)512 << 10)
// Of the type with the strictest one.
#define ALIGNMENT ((size_t)16)

static uint8_t arena[ARENA_BYTES] __attribute__((aligned(ALIGNMENT)));
static size_t taken;

void *hookbox_space(size_t size) {
    if (size <= ARENA_BYTES - taken) {
        void *memory = arena + taken;
        // The arena's size is a multiple of it, so this is never beyond its end.
        taken += (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
        return memory;
    }
    void *memory = malloc(size);
    if (memory == NULL) {
        abort();
    }
    return memory;
}

// In the place of the generated one, which takes all from the heap. The host asks for memory here before it hands something over.
__attribute__((__export_name__("cabi_realloc"))) void *cabi_realloc(void *old, size_t old_size, size_t alignment, size_t size) {
    (void)alignment;
    void *memory = hookbox_space(size);
    if (old != NULL) {
        memcpy(memory, old, old_size < size ? old_size : size);
    }
    return memory;
}
