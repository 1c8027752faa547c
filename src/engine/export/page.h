/* The parts of the page between which a run is written. CMake makes them of page/ (page/embed.cmake). */
#ifndef GMPSCOPE_ENGINE_EXPORT_PAGE_H
#define GMPSCOPE_ENGINE_EXPORT_PAGE_H

#include <stddef.h>

extern const unsigned char page_head[];   /* up to the title */
extern const unsigned char page_body[];   /* up to the events */
extern const unsigned char page_tables[]; /* between the events and the texts */
extern const unsigned char page_foot[];
extern const size_t page_head_size, page_body_size, page_tables_size, page_foot_size;

#endif
