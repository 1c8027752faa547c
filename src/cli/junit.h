/* Results as JUnit XML, for services that run tests (--junit FILE): explore, claim and check. The elements and attributes are those of the schema that
 * Jenkins publishes (junit-10.xsd): testsuites > testsuite > testcase > skipped | error | failure. */
#ifndef GMPSCOPE_CLI_JUNIT_H
#define GMPSCOPE_CLI_JUNIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum junit_result { JUNIT_PASSED, JUNIT_FAILED, JUNIT_ERROR, JUNIT_SKIPPED, JUNIT_RESULTS };

/* A path of NULL: nothing is written, and all calls do nothing. */
struct junit {
    const char *path;
    FILE *cases; /* into `text` */
    char *text;
    size_t size;
    int64_t began; /* wall ms */
    uint64_t n[JUNIT_RESULTS];
};
struct junit_case {
    const char *suite, *name; /* suite: the scenario */
    enum junit_result result;
    const char *type, *message, *body; /* unless it passed. type: such as "exit 1"; body: lines; both "" if there is none */
};

/* Checks that the file can be written. Returns false after a message. */
bool junit_begin(struct junit *j, const char *path);
void junit_case(struct junit *j, const struct junit_case *c);
/* Writes the file. Returns the exit code of the command: `code`, or 2 after a message if the file cannot be written; 4 outranks that. */
int junit_end(struct junit *j, int code);

#endif
