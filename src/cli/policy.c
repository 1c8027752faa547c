/* Loads a scheduling policy: policy.h. */
#include "cli/policy.h"
#include "lab/gmpscope/policy.h"
#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define NAME_MOST 40

static bool is_name(const char *name)
{
    size_t n = name ? strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") : 0;
    return n && n <= NAME_MOST && !name[n];
}

const char *policy_load(struct options *o, const char *path)
{
    struct stat st;
    char *real = realpath(path, NULL); /* with a slash in it, so that no path of libraries is searched */
    o->policy_path = real ? arena_strndup(&o->arena, real, strlen(real)) : NULL;
    free(real);
    if (!real || stat(o->policy_path ? o->policy_path : path, &st) != 0)
        return arena_printf(&o->arena, "%s: there is no such file; gmpscope lab new NAME writes a policy, and make builds it", path);
    if (!S_ISREG(st.st_mode))
        return arena_printf(&o->arena, "%s: not a regular file", path);
    void *object = o->policy_path ? dlopen(o->policy_path, RTLD_NOW | RTLD_LOCAL) : NULL;
    const struct gmpscope_policy *policy = object ? dlsym(object, "gmpscope_policy") : NULL;
    if (!object)
        return arena_printf(&o->arena, "%s: it cannot be loaded as a shared object (cc -shared -fPIC): %s", path, dlerror());
    if (!policy)
        return arena_printf(&o->arena, "%s: it exports no variable gmpscope_policy", path);
    if (policy->version != GMPSCOPE_POLICY)
        return arena_printf(&o->arena, "%s: it was built for version %u of gmpscope/policy.h; this gmpscope has version %u", path,
                            policy->version, GMPSCOPE_POLICY);
    if (!is_name(policy->name))
        return arena_printf(&o->arena, "%s: the name of a policy has 1 to %d letters, digits, - and _", path, NAME_MOST);
    o->policy = policy;
    return NULL;
}

const char *policy_name(struct options *o, const char *name)
{
    struct gmpscope_policy *policy = arena_alloc(&o->arena, sizeof *policy);
    if (!is_name(name))
        return "expected the name of a policy";
    if (policy)
        *policy = (struct gmpscope_policy){.version = GMPSCOPE_POLICY, .name = name};
    o->policy = policy;
    return policy ? NULL : strerror(ENOMEM);
}
