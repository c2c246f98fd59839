#ifndef HOOKBOX_MEMORY_H
#define HOOKBOX_MEMORY_H

#include <stddef.h>

// Memory of this call, aligned for any type; never to be given to `free`. Ends the call if there is none.
void *hookbox_space(size_t size);

#endif
