/* Pictures of scenarios: each is a real run in lockstep, without a screen, up to a moment worth seeing. One thread makes them on demand. */
#ifndef GMPSCOPE_CLI_DOOR_PICTURES_H
#define GMPSCOPE_CLI_DOOR_PICTURES_H

#include "engine/catalogue.h"
#include "ui/door/door.h"

struct door_pictures;

/* The catalogue must outlive it. Returns NULL, with errno, if there is no memory or no thread for it. */
struct door_pictures *door_pictures_new(const struct catalogue *c);
void door_pictures_free(struct door_pictures *p);
/* door.picture and door.wake_fd; ctx: struct door_pictures. */
const struct door_picture *door_pictures_get(void *ctx, int entry);
int door_pictures_wake_fd(const struct door_pictures *p);

#endif
