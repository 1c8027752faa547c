/* What a run lets a person do. A run that is live in lockstep allows everything; a free one cannot be decided; a recording has no world
 * to steer. A key whose capability a run lacks does not exist for that run. */
#ifndef GMPSCOPE_ENGINE_CAPABILITY_H
#define GMPSCOPE_ENGINE_CAPABILITY_H

#include "base/text.h"

enum capability {
    CAN_PAUSE,       /* its world stops when the person pauses */
    CAN_DECIDE,      /* the next random outcome can be chosen */
    CAN_BRANCH,      /* it can be repeated up to an earlier event and continued differently */
    CAN_CHANGE_MODE, /* lockstep <-> free */
    CAN_SCALE_TIME,  /* its clock can run slower; a run without this continues event by event at a tempo */
    CAN_CHANGE_SEED, /* it can start again with another seed */
    CAN_SHARE,       /* a command line repeats it */
    CAN_RECORD,      /* it can be written into a file */
    CAN_AUDIT,       /* its memory can be compared with the fold */
    CAPABILITIES
};

/* Why not. The words are in refusal_text. */
enum refusal {
    REFUSED_NOT,  /* it is allowed */
    REFUSED_FREE, /* only in lockstep */
    REFUSED_WAS_FREE,
    REFUSED_LOCKSTEP, /* only in free mode */
    REFUSED_OVER,
    REFUSED_AT_LINE,
    REFUSED_PENDING,  /* logged events must be folded first */
    REFUSED_RECORDED, /* the events are a recording; so for the next four */
    REFUSED_NO_CLOCK,
    REFUSED_ONE_SEED,
    REFUSED_NO_MEMORY,
    REFUSED_IS_FILE,
    REFUSED_FOLLOWED, /* the run belongs to another process */
    REFUSALS
};
extern const struct text refusal_text[REFUSALS];

#endif
