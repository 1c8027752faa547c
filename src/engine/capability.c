/* Why a source refuses something, in words. */
#include "engine/capability.h"

const struct text refusal_text[REFUSALS] = {
    [REFUSED_NOT] = {{"", ""}},
    [REFUSED_FREE] = {{"Only lockstep lets you choose which M goes next (m changes the mode).", "只有 lockstep 模式才能选择（m 切换）。"}},
    [REFUSED_WAS_FREE] = {{"This run was in free mode for a while, so nothing can be chosen in it (r restarts it).",
                           "这次运行曾处于 free 模式：不能再选择（r 重新开始）。"}},
    [REFUSED_LOCKSTEP] = {{"Only free mode has a clock that can run slower (m changes the mode).",
                           "只有 free 模式才有可以变慢的时钟（m 切换）。"}},
    [REFUSED_OVER] = {{"The run is over: step back, or restart (r).", "运行已结束：后退，或重新开始（r）。"}},
    [REFUSED_AT_LINE] = {{"The run is paused at a line, between two decisions: press s first.",
                          "运行停在程序的某一行，处于两次决定之间：请先按 s。"}},
    [REFUSED_PENDING] = {{"Some logged events are not shown yet: step first.", "还有未显示的事件：请先单步。"}},
    [REFUSED_RECORDED] = {{"This is a recording: what happened in it cannot be changed.", "这是一段记录：其中发生的事不能改变。"}},
    [REFUSED_NO_CLOCK] = {{"This is a recording: it has no clock to slow down (- and + change the tempo).",
                           "这是一段记录：没有可以变慢的时钟（- 和 + 改变速度）。"}},
    [REFUSED_ONE_SEED] = {{"This is a recording of one run: another seed needs gmpscope run.",
                           "这是一次运行的记录：换种子请用 gmpscope run。"}},
    [REFUSED_NO_MEMORY] = {{"This is a recording: the memory that an audit compares is gone.", "这是一段记录：审计要比较的内存已不存在。"}},
    [REFUSED_IS_FILE] = {{"This is a recording already: copy its file.", "这已经是一段记录：复制它的文件即可。"}},
    [REFUSED_FOLLOWED] = {{"This run belongs to another process: you can watch it, not steer it.",
                           "这次运行属于另一个进程：只能观看，不能操控。"}},
};
