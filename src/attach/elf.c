/* The program's file. It is a stranger's: every offset and length is checked against the size of the file. */
#include "attach/attach_internal.h"
#include <elf.h>
#include <string.h>

static bool fits(size_t n, uint64_t at, uint64_t len)
{
    return at <= n && len <= n - at;
}

/* Reads a number of 7 bits a byte. Returns false if it does not end or is too large. */
static bool varint(const uint8_t *b, size_t n, size_t *at, uint64_t *out)
{
    *out = 0;
    for (unsigned shift = 0; shift < 35 && *at < n; shift += 7) {
        uint8_t c = b[(*at)++];
        *out |= (uint64_t)(c & 0x7f) << shift;
        if (!(c & 0x80))
            return true;
    }
    return false;
}

/* "go1.26.8", "go1.27rc1", also with what a vendor adds. Returns the minor number, -1: it is not such a version. */
static int minor_of(const char *version)
{
    int minor = 0, digits = 0;
    if (strncmp(version, "go1.", 4) != 0)
        return -1;
    for (const char *s = version + 4; *s >= '0' && *s <= '9' && digits < 4; s++, digits++)
        minor = minor * 10 + (*s - '0');
    return digits ? minor : -1;
}

enum { INFO_HEAD = 32, INFO_ALIGN = 16, FLAG_INLINE = 2 };

/* The build info: 14 bytes of magic, the size of a pointer, flags, then from byte 32 on the version as a string with its length. Before Go 1.18 there
 * were pointers instead. Returns false if there is none. */
static bool read_build_info(const uint8_t *b, size_t n, struct go_exe *out)
{
    static const char magic[] = "\xff Go buildinf:";
    for (size_t at = 0; at + INFO_HEAD < n; at += INFO_ALIGN) {
        const uint8_t *found = memmem(b + at, n - at, magic, sizeof magic - 1);
        uint64_t len;
        if (!found)
            return false;
        at = (size_t)(found - b);
        size_t s = at + INFO_HEAD;
        if (at % INFO_ALIGN == 0 && s < n && !(b[at + 15] & FLAG_INLINE)) {
            out->minor = 0;
            return true;
        }
        if (at % INFO_ALIGN == 0 && s < n && varint(b, n, &s, &len) && len > 0 && len < EXE_VERSION && fits(n, s, len)) {
            memcpy(out->version, b + s, len);
            out->version[len] = '\0';
            out->minor = minor_of(out->version);
            if (out->minor >= 0)
                return true;
        }
        at -= at % INFO_ALIGN;
    }
    return false;
}

/* The function table begins with the magic of Go 1.20 and later, two zeros, the least size of an instruction and the size of a pointer. */
static void find_tables(const uint8_t *b, size_t n, struct go_exe *out)
{
    static const uint8_t magic[] = {0xf1, 0xff, 0xff, 0xff, 0, 0, 1, 8};
    for (uint32_t i = 0; i < out->nsegment; i++) {
        const struct exe_segment *g = &out->segment[i];
        const uint8_t *from = b + g->off, *end = from + g->file;
        for (const uint8_t *p = from; out->ntable < EXE_TABLES && (p = memmem(p, (size_t)(end - p), magic, sizeof magic)); p++)
            if ((p - from) % 8 == 0)
                out->table[out->ntable++] = g->at + (uint64_t)(p - from);
    }
    (void)n;
}

bool go_exe_read(const uint8_t *b, size_t n, struct go_exe *out, enum lang lang, char why[ATTACH_WHY])
{
    Elf64_Ehdr h;
    *out = (struct go_exe){.minor = -1};
    if (n < sizeof h || memcmp(b, ELFMAG, SELFMAG) != 0)
        return WHY(lang, why, "it is not an ELF program%s", "它不是 ELF 程序%s", ""), false;
    memcpy(&h, b, sizeof h);
    if (h.e_ident[EI_CLASS] != ELFCLASS64 || h.e_ident[EI_DATA] != ELFDATA2LSB || h.e_machine != EM_X86_64)
        return WHY(lang, why, "it was built for another machine (ELF machine %u); attach reads linux/amd64 programs",
                   "它是为另一种机器构建的（ELF 机器 %u）；attach 只读 linux/amd64 程序", h.e_machine),
               false;
    if (h.e_phentsize != sizeof(Elf64_Phdr) || !fits(n, h.e_phoff, (uint64_t)h.e_phnum * sizeof(Elf64_Phdr)))
        return WHY(lang, why, "its ELF header is damaged%s", "它的 ELF 头已损坏%s", ""), false;
    out->dynamic = h.e_type == ET_DYN;
    for (uint16_t i = 0; i < h.e_phnum; i++) {
        Elf64_Phdr p;
        memcpy(&p, b + h.e_phoff + i * sizeof p, sizeof p);
        if (p.p_type != PT_LOAD)
            continue;
        if (out->nsegment == EXE_SEGMENTS || !fits(n, p.p_offset, p.p_filesz) || p.p_filesz > p.p_memsz || p.p_memsz > 1ull << 40 ||
            p.p_vaddr > 1ull << 47)
            return WHY(lang, why, "its ELF segments are damaged%s", "它的 ELF 段已损坏%s", ""), false;
        out->segment[out->nsegment++] = (struct exe_segment){p.p_vaddr, p.p_memsz, p.p_offset, p.p_filesz, (p.p_flags & PF_W) != 0};
    }
    if (!read_build_info(b, n, out))
        return WHY(lang, why, "it is not a Go program: it has no Go build info%s", "它不是 Go 程序：没有 Go 构建信息%s", ""), false;
    if (out->minor < GO_MINOR_FIRST)
        return WHY(lang, why, "it was built by %s; attach reads go1.%d to go1.%d: build it again with a newer Go",
                   "它由 %s 构建；attach 支持 go1.%d 到 go1.%d：请用更新的 Go 重新构建", out->version[0] ? out->version : "go1.17",
                   GO_MINOR_FIRST, GO_MINOR_LAST),
               false;
    if (out->minor > GO_MINOR_LAST)
        return WHY(lang, why, "it was built by %s, which this gmpscope does not know; attach reads go1.%d to go1.%d",
                   "它由 %s 构建，这个版本的 gmpscope 还不认识；attach 支持 go1.%d 到 go1.%d", out->version, GO_MINOR_FIRST, GO_MINOR_LAST),
               false;
    find_tables(b, n, out);
    if (!out->ntable)
        return WHY(lang, why, "its function table was not found (%s)", "没有找到它的函数表（%s）", out->version), false;
    return true;
}
