/* What a run has to record for those who look at it, besides the core events. */
#ifndef GMPSCOPE_ENGINE_NEEDED_H
#define GMPSCOPE_ENGINE_NEEDED_H

#include "engine/engine.h"

bool needed_details(const struct engine *e);
bool needed_each_event(const struct engine *e);
enum rt_places needed_places(const struct engine *e);

#endif
