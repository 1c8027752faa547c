/* Pictures of scenarios: each is a real run in lockstep, without a screen, up to a moment worth seeing. One thread makes them on demand. */
#ifndef GMPSCOPE_CLI_PICTURES_H
#define GMPSCOPE_CLI_PICTURES_H

#include "engine/catalogue.h"
#include "ui/door/door.h"

struct pictures;

/* The catalogue must outlive it. Returns NULL, with errno, if there is no memory or no thread for it. */
struct pictures *pictures_new(const struct catalogue *c);
void pictures_free(struct pictures *p);
/* door.picture and door.wake_fd; ctx: struct pictures. */
const struct door_picture *pictures_get(void *ctx, int entry);
int pictures_wake_fd(const struct pictures *p);

#endif
