// Takes the place of ICU's data in a statically linked program, 34 MB of it.
//
// GRDB brings all of Foundation along, and Foundation ICU with the languages and calendars of the world. The
// daemon formats and compares nothing by anybody's locale, so ICU is never asked. Were it asked, it would find a package
// without entries and say that there is no data (U_FILE_ACCESS_ERROR). This is what ICU's own `stubdata.cpp` has.
#include <stdint.h>

struct package {
    uint16_t header_size;
    uint8_t magic[2];
    struct {
        uint16_t size, reserved;
        uint8_t is_big_endian, charset, char_size, reserved_too;
        uint8_t format[4], format_version[4], data_version[4];
    } info;
    uint8_t padding[8];
    uint32_t count, reserved;
    int32_t entries[4];
};

// Hidden: where Foundation is linked dynamically, its own data stays in force.
__attribute__((visibility("hidden"), aligned(16))) const struct package icudt76_dat = {
    .header_size = 32,
    .magic = {0xda, 0x27},
    .info = {
        .size = 20,
        .is_big_endian = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__,
        .char_size = 2,
        .format = {'T', 'o', 'C', 'P'},
        .format_version = {1},
    },
};
