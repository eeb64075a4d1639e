/* foreign.h: what a model with embedded C needs. Comes before every other header.
 *
 *   printf, stdout       in the model and the runtime mean the standard output the program was started with; what
 *                        embedded C prints goes nowhere
 *   PRECONDITION(call)   calls embedded C that sets `failed_` if its precondition is false
 *   breakdown()          what went wrong in the step that broke down: a precondition of embedded C, or something else
 */
#ifndef CLEW_FOREIGN_H
#define CLEW_FOREIGN_H

#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static FILE *reports;

static __attribute__((constructor)) void open_reports(void)
{
    int nowhere = open("/dev/null", O_WRONLY);
    reports = fdopen(dup(1), "w");
    if (!reports || nowhere < 0 || dup2(nowhere, 1) < 0) _exit(71);
    close(nowhere);
}

#undef stdout
#define stdout      reports
#define printf(...) fprintf(reports, __VA_ARGS__)

static int precondition_failed;

#define PRECONDITION(call) ({ int failed_ = 0, v_ = (call); if (failed_) err = precondition_failed = 1; v_; })

#define breakdown() (precondition_failed ? precondition_failed = 0, ASSERTION : RUNTIME_ERROR)

#endif
