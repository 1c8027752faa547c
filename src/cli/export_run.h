/* Exports of what happens in a run. */
#ifndef GMPSCOPE_CLI_EXPORT_RUN_H
#define GMPSCOPE_CLI_EXPORT_RUN_H

struct export_ops;

/* Exports the run that the command line names, in this form. Returns: the exit code. */
int export_run(const struct export_ops *form, int argc, char **argv);

#endif
