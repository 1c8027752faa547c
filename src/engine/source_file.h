/* A source that offers the events of a run file (engine/recorder.h). Everything that changes only what is shown works as on a live run; what needs a
 * world is refused. */
#ifndef GMPSCOPE_ENGINE_SOURCE_FILE_H
#define GMPSCOPE_ENGINE_SOURCE_FILE_H

#include "engine/source.h"

/* Returns why a recording cannot do that; REFUSED_NOT: it can. */
enum refusal recorded_refusal(enum capability what);
source_open source_file; /* engine_config.from: the path of the file */

#endif
