/* A hook in C: denies everything while there is a file FREEZE in the project; what the file says is the reason.
 *
 * It reads the first folder that its configuration grants it: grant = { fs = { read = ["project"] } } */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

/* WASI opens the granted folders in their order, after standard input, output and error. */
#define PROJECT 3

/* Exit codes: hookbox passes an action over for 0, denies it for 2, and takes anything else for a failed hook. */
enum { PASS = 0, FAILED = 1, DENY = 2 };

int main(void) {
    static char reason[512];
    int file = openat(PROJECT, "FREEZE", O_RDONLY);
    if (file < 0 && errno == ENOENT) return PASS;
    ssize_t size = file < 0 ? -1 : read(file, reason, sizeof reason);
    if (size < 0) {
        perror("cannot read FREEZE, is the project granted?");
        return FAILED;
    }
    fwrite(reason, 1, (size_t)size, stderr);
    return DENY;
}
