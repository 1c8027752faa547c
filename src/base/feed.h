/* Bytes that are still coming: through a pipe, or into a file that another program writes. A thread takes them as they come. Readers read a regular
 * file, at any place and as often as they need.
 *
 * A writer that stalls stalls nobody else: only the feed's thread waits for it, and feed_free() ends that wait. */
#ifndef GMPSCOPE_BASE_FEED_H
#define GMPSCOPE_BASE_FEED_H

#include <stdbool.h>
#include <stdint.h>

struct feed;
/* Copies what comes through a pipe, a FIFO or a socket into a file without a name, until its end. Takes the descriptor, also if it fails. Returns NULL
 * with errno. */
struct feed *feed_pipe(int fd);
/* Follows a regular file until no process has it open for writing. Takes the descriptor, also if it fails. Returns NULL with errno. Where the system
 * does not say who has it open (the file is another user's), it has no end. */
struct feed *feed_file(int fd);
void feed_free(struct feed *f);    /* NULL: does nothing */
int feed_fd(const struct feed *f); /* for pread(); it stays the feed's */
/* Returns how many bytes there are. *over: no more will come. Any thread. */
uint64_t feed_size(struct feed *f, bool *over);
/* Waits at most ms until there are more than so many bytes, or no more will come. Returns true if that is so. Any thread. */
bool feed_wait(struct feed *f, uint64_t beyond, int ms);
int feed_error(struct feed *f); /* why it ended early, an errno: the disk is full, or the file became shorter (ESTALE); 0: it did not */
/* Returns true if another process may be writing to this regular file. False: none is, or the system does not say. */
bool feed_is_written(int fd);

#endif
