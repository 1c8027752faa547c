/* Notifications for valgrind, if its header is installed. They cost some nanoseconds when the program runs without valgrind. */
#ifndef GMPSCOPE_RUNTIME_STACK_VALGRIND_H
#define GMPSCOPE_RUNTIME_STACK_VALGRIND_H

#if __has_include(<valgrind/valgrind.h>)
#include <valgrind/valgrind.h>
#else
#define RUNNING_ON_VALGRIND 0
#define VALGRIND_STACK_REGISTER(low, high) ((void)(low), (void)(high))
#endif

#endif
