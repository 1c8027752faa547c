/* The file of the layout, while it is shown. */
#ifndef GMPSCOPE_UI_INPUT_EDIT_LAYOUT_H
#define GMPSCOPE_UI_INPUT_EDIT_LAYOUT_H

struct ui;

/* Returns a descriptor that becomes readable when a file in the folder of the layout file changes; -1: there is nothing to watch. */
int layout_watch(const struct ui *u);
/* Shows the file's new layout if the file has changed. If it has mistakes, a note names the first, and the old layout stays. */
void layout_file_changed(struct ui *u, int fd);

#endif
