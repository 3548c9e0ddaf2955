#pragma once
#include <cmark-gfm-core-extensions.h>
#include <cmark-gfm.h>
#include <cmark-gfm-extension_api.h>

/// The alignment of a table's column: 'l', 'c', 'r', or 0 for none.
static inline char cmarkdown_alignment(cmark_node *table, int column) {
    const uint8_t *all = cmark_gfm_extensions_get_table_alignments(table);
    return all && column < cmark_gfm_extensions_get_table_columns(table) ? (char)all[column] : 0;
}
