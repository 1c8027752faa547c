/* A source that offers the events of a run file (engine/recorder.h). */
#ifndef GMPSCOPE_ENGINE_SOURCE_FILE_H
#define GMPSCOPE_ENGINE_SOURCE_FILE_H

#include "engine/source.h"

source_open source_file; /* engine_config.from: the path of the file */

#endif
