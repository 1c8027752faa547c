/* What a generation does not have is not drawn, and other small promises of the panes. */
#include "story.h"

TEST(what_a_generation_lacks_is_not_drawn)
{
    struct story *s = steal_half(2);
    struct view v = view_of(s);
    struct picture p = look(&v, at(PANE_processors, W, H));
    HAS_ROW(&p, "running", "runnext", "runq");
    picture_fini(&p);
    p = look(&v, at(PANE_global_queue, 30, H));
    HAS_ROW(&p, "needspinning");
    picture_fini(&p);
    v.st.no_runnext = v.st.no_needspinning = true;
    p = look(&v, at(PANE_processors, W, H));
    HAS_ROW(&p, "P0", "G1", "G6  G7  G8");
    CHECK(!anywhere(&p, "runnext"));
    picture_fini(&p);
    p = look(&v, at(PANE_global_queue, 30, H));
    HAS_ROW(&p, "runnable", "7");
    HAS_ROW(&p, "parked");
    CHECK(!anywhere(&p, "needspinning"));
    picture_fini(&p);
    story_free(s);
}

TEST(a_pause_that_is_under_way_says_so)
{
    struct story *s = steal_half(2);
    struct view v = view_of(s);
    v.st.lockstep = false;
    v.st.pending = 467664;
    struct picture p = look(&v, at(PANE_status, W, 1));
    HAS_ROW(&p, "PAUSING");
    picture_fini(&p);
    v.st.still = true;
    p = look(&v, at(PANE_status, W, 1));
    HAS_ROW(&p, "PAUSED");
    picture_fini(&p);
    story_free(s);
}
