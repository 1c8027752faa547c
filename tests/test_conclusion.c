/* What a comparison of two runs says: the facts of a state, where two lists of events part, and the sentences. */
#include "model/conclusion.h"
#include "folding.h"

/* G1 runs on P0, G2 … G4 are in P0's ring; all of them at times that the sentences name. */
static struct model *crowd(void)
{
    struct model *md = boot2();
    fill(md, 2, 4, 0);
    offer_at(__LINE__, md, APPLIED, 0, make(1490, EV_PRINT, 0, 1, 1, 0, 0, 0));
    return md;
}

static const char *say(const struct conclusion_run *l, const struct conclusion_run *r, struct parting p, enum lang lang)
{
    static char buf[CONCLUSION_BYTES];
    conclusion_text((const struct conclusion_run[2]){*l, *r}, &p, lang, buf, sizeof buf);
    return buf;
}

TEST(the_facts_of_a_state)
{
    struct model *md = crowd();
    struct outcome o = outcome_of(md);
    CHECK_INT(o.created, 4);
    CHECK_INT(o.done, 0);
    CHECK_INT(o.queued, 3);
    CHECK_INT(o.p, 0);
    CHECK_INT(o.runner, 1);
    CHECK_INT(o.moved, 1490);
    CHECK(!outcome_awaits(md, 0));
    model_free(md);
}

/* What Ms and Ps do while they search moves no G; what a G does, or a queue, does. */
TEST(a_search_moves_no_g)
{
    struct model *md = crowd();
    offer_at(__LINE__, md, APPLIED, 1, make(2000, EV_STEAL_TRY, 1, 0, 0, 1, 3, 0));
    offer_at(__LINE__, md, APPLIED, 1, make(2010, EV_SPIN_START, 1, 0, 1, 1, 0, 0));
    offer_at(__LINE__, md, APPLIED, 1, make(2020, EV_TIME_JUMP, EV_NO_P, 0, 0, 0, 0, 0));
    CHECK_INT(outcome_of(md).moved, 1490);
    offer_at(__LINE__, md, APPLIED, 1, make(2030, EV_STEAL, 1, 2, 0, 1 << 1, 0, 0));
    CHECK_INT(outcome_of(md).moved, 2030);
    CHECK_INT(outcome_of(md).queued, 2);
    model_free(md);
}

/* A timer that is set will change something; so may a system call. */
TEST(what_is_still_awaited)
{
    struct model *md = crowd();
    struct ev timer = make(1500, EV_TIMER_ADD, 0, 1, 1, TIMER_WAKE, 0, 0);
    ev_set_cd(&timer, 5000);
    offer_at(__LINE__, md, APPLIED, 0, timer);
    CHECK(outcome_awaits(md, 0) && outcome_awaits(md, 5000));
    CHECK(!outcome_awaits(md, 5001)); /* it was due before, and no M has run it */
    CHECK_INT(outcome_of(md).due, -1);
    model_pass_time(md, 6000);
    CHECK_INT(outcome_of(md).due, 5000);
    model_free(md);
    md = crowd();
    offer_at(__LINE__, md, APPLIED, 0, make(1500, EV_SYSCALL_BLOCK, 0, 1, 3, 0, 0, 0));
    CHECK(outcome_awaits(md, 9000));
    model_free(md);
}

TEST(a_stuck_run_names_the_queue_and_the_g_in_front_of_it)
{
    struct model *md = crowd();
    struct conclusion_run left = {md, {{"With stealing, ", "有偷取时，"}}, -1, 2000}, right = left;
    right.subject = (struct text){{"Without it, ", "没有偷取时，"}};
    right.how = ENDED_STUCK;
    right.time = 31000000; /* G1 began at 0 */
    CHECK_STR(say(&left, &right, (struct parting){.parted = true}, LANG_EN),
              "With stealing, at 2 µs, 0 of 4 Gs have ended. Without it, no G has changed its state since 1.49 µs: 3 Gs wait in P0's queue "
              "behind G1, which has run for 31 ms without a break.");
    CHECK_STR(say(&left, &right, (struct parting){.parted = true}, LANG_ZH),
              "有偷取时，到 2 µs 为止，4 个 G 中有 0 个已结束。没有偷取时，自 1.49 µs 起没有任何 G 改变过状态：3 个 G 在 P0 的队列中等待，"
              "排在已不间断运行 31 ms 的 G1 之后。");
    model_free(md);
}

/* main returns with all Gs ended, or with some left. The program's end is what ends main. */
TEST(how_runs_end)
{
    struct model *all = boot(), *some = crowd();
    offer_at(__LINE__, all, APPLIED, 0, make(8003740, EV_PROGRAM_END, 0, 1, ENDED_MAIN_RETURNED, 1, 0, 0));
    offer_at(__LINE__, some, APPLIED, 0, make(8000000, EV_PROGRAM_END, 0, 1, ENDED_MAIN_RETURNED, 2, 0, 0));
    struct conclusion_run l = {all, {{"Left: ", "左："}}, ENDED_MAIN_RETURNED, 8003740},
                          r = {some, {{"Right: ", "右："}}, ENDED_MAIN_RETURNED, 8000000};
    CHECK_STR(say(&l, &r, (struct parting){.parted = true}, LANG_EN),
              "Left: the only G ends after 8.003 ms. Right: main returns after 8 ms; 3 of 4 Gs have not ended. The left run takes 3.74 µs "
              "longer. The longest wait of a runnable G: left 0, right 8 ms.");
    CHECK_STR(say(&l, &l, (struct parting){.same = 7}, LANG_EN), "Both runs are the same, event by event: the only G ends after 8.003 ms.");
    r.how = ENDED_DEADLOCK;
    CHECK_STR(say(&l, &r, (struct parting){.parted = true}, LANG_ZH),
              "左：唯一的 G 在 8.003 ms 后结束。右：8 ms 后发生死锁；4 个 G 中还有 3 个未结束。");
    r.how = ENDED_LIMIT; /* what is not known is not said */
    CHECK_STR(say(&r, &r, (struct parting){.same = 7}, LANG_EN),
              "Right: at 8 ms, 1 of 4 Gs has ended. Right: at 8 ms, 1 of 4 Gs has ended.");
    model_free(all);
    model_free(some);
}

/* While both go on, the bars have the numbers of each; the sentence is about the difference. */
TEST(the_difference_so_far)
{
    struct model *none = crowd(), *one = crowd();
    offer_at(__LINE__, one, APPLIED, 1, make(2010, EV_SPIN_START, 1, 0, 1, 1, 0, 0));
    offer_at(__LINE__, one, APPLIED, 1, make(2030, EV_STEAL, 1, 2, 0, 1 << 1, 0, 0));
    offer_at(__LINE__, one, APPLIED, 0, make(2040, EV_PROGRAM_END, 0, 1, ENDED_MAIN_RETURNED, 2, 0, 0));
    struct conclusion_run l = {one, {{"Left: ", "左："}}, -1, 3000}, r = {none, {{"Right: ", "右："}}, -1, 3000};
    CHECK_STR(say(&l, &r, (struct parting){.parted = true}, LANG_EN),
              "So far, 1 more G has ended on the left. Gs in the longest queue: left 2, right 3. The longest wait of a "
              "runnable G: left 2.04 µs, right 1.49 µs.");
    CHECK_STR(say(&r, &l, (struct parting){.parted = true}, LANG_ZH),
              "到目前为止，右边多结束了 1 个 G。最长的队列：左 3 个 G，右 2 个。可运行的 G 最长等待了：左 1.49 µs，右 2.04 µs。");
    CHECK_STR(say(&r, &r, (struct parting){.same = 7}, LANG_EN), "So far, as many Gs have ended on the left as on the right.");
    l.how = ENDED_DEADLOCK;
    CHECK_STR(say(&l, &r, (struct parting){.parted = true}, LANG_EN),
              "Left: after 3 µs the program dies of a deadlock; 3 of 4 Gs have not ended. Right: at 3 µs, 0 of 4 Gs have ended.");
    r.time = 5000;
    CHECK(strstr(say(&l, &r, (struct parting){.parted = true}, LANG_EN), "0 of 4 Gs have ended. So far, the right run takes 2 µs longer."));
    CHECK(strstr(say(&r, &l, (struct parting){.parted = true}, LANG_ZH), "到目前为止，左边多用 2 µs。"));
    model_free(none);
    model_free(one);
}

/* ---- where two lists of events part ---- */

static const struct model_names here = {.fn = (const char *const[]){"main", "worker"}, .nfn = 2},
                                there = {.fn = (const char *const[]){"worker", "main"}, .nfn = 2};

static struct parting_event event(uint32_t m, struct ev e, const char *text)
{
    struct parting_event p = {.m = m, .ev = e, .len = strlen(text)};
    memcpy(p.text, text, p.len);
    return p;
}

static bool part(struct parting_event l, struct parting_event r)
{
    struct parting p = {0};
    parting_compare(&p, (const struct model_names *const[2]){&here, &there}, &l, &r, 1);
    CHECK_INT(p.same, !p.parted);
    return p.parted;
}

TEST(events_are_compared_by_kind_actors_and_fields)
{
    struct ev steal = make(10, EV_STEAL, 1, 2, 0, 1 << 1, 5, 9), e = steal;
    CHECK(!part(event(2, steal, ""), event(2, steal, "")));
    CHECK(part(event(2, steal, ""), event(3, steal, ""))); /* another M */
    e.g = 3;
    CHECK(part(event(2, steal, ""), event(2, e, "")));
    e = steal;
    e.a = 2; /* another victim */
    CHECK(part(event(2, steal, ""), event(2, e, "")));
    e = steal;
    e.time = 11; /* times do not count, nor does a field that no line shows */
    e.d = 10;
    CHECK(!part(event(2, steal, ""), event(2, e, "")));
    CHECK(part(event(0, make(1, EV_PRINT, 0, 1, 0, 0, 0, 0), "a"), event(0, make(1, EV_PRINT, 0, 1, 0, 0, 0, 0), "b")));
}

/* A program is the same if its name is, whatever its number in each file. */
TEST(programs_are_compared_by_name)
{
    struct ev l = make(10, EV_G_CREATE, 0, 2, 1, 1, 0, 0), r = make(10, EV_G_CREATE, 0, 2, 1, 0, 0, 0);
    CHECK(!part(event(0, l, ""), event(0, r, "")));
    CHECK(part(event(0, l, ""), event(0, l, "")));
}

TEST(the_first_other_time_is_noted)
{
    struct parting p = {0};
    struct parting_event l[3], r[3];
    for (int i = 0; i < 3; i++) {
        l[i] = event(0, make(10 * i, EV_G_YIELD, 0, 1, 2, 0, 0, 0), "");
        r[i] = event(0, make(i < 1 ? 10 * i : 11 * i, EV_G_YIELD, 0, 1, 2, 0, 0, 0), "");
    }
    parting_compare(&p, (const struct model_names *const[2]){&here, &here}, l, r, 3);
    CHECK(!p.parted);
    CHECK_INT(p.same, 3);
    CHECK_INT(p.later, 2);
}
