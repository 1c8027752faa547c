/* The test frame. Each TEST runs in a child process with an alarm, so a failed assert on any thread or stack, a
 * crash or a hang is one failed test. t.c has main: `test_x [--list] [NAME…]`; the last line is "N passed, N
 * failed". */
#ifndef GMPSCOPE_TESTS_T_H
#define GMPSCOPE_TESTS_T_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined __has_feature
#if __has_feature(thread_sanitizer) || __has_feature(address_sanitizer)
#define T_SANITIZED 1
#endif
#endif
#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
#define T_SANITIZED 1
#endif
#ifndef T_SANITIZED
#define T_SANITIZED 0
#endif
#if defined __SANITIZE_THREAD__
#define T_TSAN 1
#elif defined __has_feature
#if __has_feature(thread_sanitizer)
#define T_TSAN 1
#endif
#endif
#ifndef T_TSAN
#define T_TSAN 0
#endif

void t_add(const char *name, void (*fn)(void), int seconds);
/* Prints FILE:LINE: what and ends the test as failed; any thread. */
void t_fail(const char *file, int line, const char *fmt, ...) __attribute__((format(printf, 3, 4), noreturn));
/* Ends the test as skipped (exit 77 of the child), with the reason. */
void t_skip(const char *why) __attribute__((noreturn));
void t_check_int(const char *file, int line, const char *expr, long long got, long long want);
void t_check_str(const char *file, int line, const char *expr, const char *got, const char *want);
/* Returns `full` with GMPSCOPE_LONG=1, else `quick`: counts are smaller in CI. */
long t_count(long quick, long full);
/* Returns a fresh empty folder, which is removed when the test ends. */
const char *t_tmpdir(void);
/* Writes a file below t_tmpdir(); returns its path. */
const char *t_file(const char *name, const char *text);

#define TEST_TIMED(name, seconds) \
    static void test_##name(void); \
    __attribute__((constructor)) static void add_##name(void) \
    { \
        t_add(#name, test_##name, seconds); \
    } \
    static void test_##name(void)
/* The limit only ends hangs: on a slow and busy machine a test may take fifty times as long as here. */
#define TEST(name) TEST_TIMED(name, 300)
#define CHECK(cond) \
    do { \
        if (!(cond)) \
            t_fail(__FILE__, __LINE__, "%s", #cond); \
    } while (0)
#define CHECK_INT(got, want) t_check_int(__FILE__, __LINE__, #got, (long long)(got), (long long)(want))
#define CHECK_STR(got, want) t_check_str(__FILE__, __LINE__, #got, got, want)

#endif
