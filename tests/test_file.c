/* Files of the state and the configuration: no link is followed, nothing but a regular file is read, and the old content stays until the new
 * one is complete. */
#include "base/file.h"
#include "shell.h"

#include <errno.h>
#include <sys/stat.h>

static void write_whole(const char *path, const char *text)
{
    struct file_new f;
    CHECK_INT(file_begin(&f, path), 0);
    fputs(text, f.out);
    CHECK_INT(file_finish(&f), 0);
}

static char *text_of(const char *path)
{
    FILE *f = file_open(path);
    CHECK(f);
    fclose(f);
    return slurp(path, NULL);
}

TEST(a_new_content_replaces_the_old_one_when_it_is_complete)
{
    const char *path = in_tmp("f");
    struct file_new f;
    write_whole(path, "old\n");
    CHECK_INT(file_begin(&f, path), 0);
    fputs("new\n", f.out);
    CHECK_STR(text_of(path), "old\n");
    CHECK_INT(file_finish(&f), 0);
    CHECK_STR(text_of(path), "new\n");
}

/* Somebody else who may write to the folder has put links where the program will write. */
TEST(no_link_is_followed)
{
    char name[600];
    const char *path = in_tmp("state"), *victim = in_tmp("victim");
    write_whole(victim, "precious\n");
    for (int i = 0; i < 3; i++) {
        snprintf(name, sizeof name, "%s.new%ld.%d", path, (long)getpid(), i);
        CHECK_INT(symlink(victim, name), 0);
    }
    CHECK_INT(symlink(victim, path), 0);
    write_whole(path, "mine\n");
    CHECK_STR(text_of(victim), "precious\n");
    CHECK_STR(text_of(path), "mine\n");
}

/* A full disk is not at hand: a folder that takes the file's name is refused just as late. */
TEST(a_content_that_cannot_be_kept_leaves_nothing_behind)
{
    char name[4200];
    struct file_new f;
    const char *path = in_tmp("folder");
    CHECK_INT(mkdir(path, 0700), 0);
    CHECK_INT(file_begin(&f, path), 0);
    snprintf(name, sizeof name, "%s", f.temporary);
    CHECK(file_finish(&f) != 0);
    CHECK_INT(access(name, F_OK), -1);
}

TEST(only_a_regular_file_is_read)
{
    const char *fifo = in_tmp("fifo");
    CHECK_INT(mkfifo(fifo, 0600), 0);
    CHECK(!file_open(fifo));
    CHECK_INT(errno, EINVAL);
    CHECK(!file_open("/dev/zero"));
    CHECK(!file_open(t_tmpdir()));
    CHECK(!file_open(in_tmp("none")));
    CHECK_INT(errno, ENOENT);
}
