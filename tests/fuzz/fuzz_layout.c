/* Loads a layout and solves it for many sizes. If it fits, its panes must cover the screen without holes or overlap. */
#include "fuzz.h"
#include "ui/panes/pane.h"

enum { PANES_MOST = 4096, W_MOST = 400, H_MOST = 60 };

static void check_covered(const struct layout_pane *pane, int n, int w, int h)
{
    static unsigned char seen[W_MOST * H_MOST];
    memset(seen, 0, sizeof seen);
    for (int i = 0; i < n; i++) {
        struct layout_rect r = pane[i].rect;
        if (r.x < 0 || r.y < 0 || r.w < 0 || r.h < 0 || r.x + r.w > w || r.y + r.h > h)
            WRONG("pane %d is %d,%d %dx%d in %dx%d", i, r.x, r.y, r.w, r.h, w, h);
        for (int y = r.y; y < r.y + r.h; y++)
            for (int x = r.x; x < r.x + r.w; x++)
                if (seen[y * W_MOST + x]++)
                    WRONG("two panes at %d,%d in %dx%d", x, y, w, h);
    }
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++)
            if (!seen[y * W_MOST + x])
                WRONG("no pane at %d,%d in %dx%d", x, y, w, h);
}

static void solve(const struct layout *l)
{
    static struct layout_pane pane[PANES_MOST];
    static const int width[] = {1, 2, 10, 60, 80, 100, 120, 200, W_MOST, 10000}, height[] = {1, 2, 5, 19, 24, 30, H_MOST, 1000};
    for (size_t i = 0; i < sizeof width / sizeof *width; i++)
        for (size_t k = 0; k < sizeof height / sizeof *height; k++) {
            int n = layout_solve(l, width[i], height[k], pane, PANES_MOST);
            if (layout_fits(l, width[i], height[k]) && width[i] <= W_MOST && height[k] <= H_MOST && n < PANES_MOST)
                check_covered(pane, n, width[i], height[k]);
        }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct diag d;
    const char *path = as_file(data, size);
    diag_init(&d, path);
    struct layout *l = layout_load(path, &pane_kinds, &d);
    if (l)
        solve(l);
    else
        check_refused(&d);
    layout_free(l);
    diag_fini(&d);
    return 0;
}
