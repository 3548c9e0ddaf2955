// Takes the place of what ArgumentParser wants of FoundationEssentials, in the command line as it is installed: 5 MB of it,
// and the 3,000 conformances that the runtime would look through at each start.
//
// ArgumentParser writes its `--experimental-dump-help` by JSONEncoder, and asks of an error whether it is a LocalizedError,
// which without Foundation none is. Weak: a later ArgumentParser that wants more has it linked as ever, and the program is
// larger again. Tests build without optimisation, and against all of Foundation.
#ifdef WITHOUT_FOUNDATION
#include <unistd.h>

__attribute__((noreturn)) static void left_out(void) {
    static const char why[] = "daybreak: --experimental-dump-help is left out here; `daybreak help` says the same.\n";
    (void)!write(STDERR_FILENO, why, sizeof why - 1);
    _exit(64);
}

#define LEFT_OUT(number, symbol)                                                                                       \
    void left_out_##number(void) __asm__(symbol) __attribute__((weak, visibility("hidden")));                          \
    void left_out_##number(void) { left_out(); }

LEFT_OUT(1, "$s20FoundationEssentials11JSONEncoderCMa")
LEFT_OUT(2, "$s20FoundationEssentials11JSONEncoderCACycfc")
LEFT_OUT(3, "$s20FoundationEssentials11JSONEncoderC16OutputFormattingV10sortedKeysAEvau")
LEFT_OUT(4, "$s20FoundationEssentials11JSONEncoderC16OutputFormattingV13prettyPrintedAEvau")
LEFT_OUT(5, "$sSS20FoundationEssentialsE4data8encodingSSSgAA4DataVh_SSAAE8EncodingVtcfC")
LEFT_OUT(6, "$sSS20FoundationEssentialsE8EncodingV4utf8ACvau")

// The protocol LocalizedError, without requirements, in a module without types: swift/ABI/Metadata.h, TargetProtocolDescriptor
// and TargetModuleContextDescriptor. Places are relative to the word that holds them, so this is not C.
__asm__(
    ".pushsection .rodata.LocalizedError, \"a\"\n"
    ".p2align 2\n"
    "module: .long 0x40, 0, module_name - .\n"
    ".weak \"$s20FoundationEssentials14LocalizedErrorMp\"\n"
    ".hidden \"$s20FoundationEssentials14LocalizedErrorMp\"\n"
    "\"$s20FoundationEssentials14LocalizedErrorMp\": .long 0x10043, module - ., protocol_name - ., 0, 0, 0\n"
    "module_name: .asciz \"FoundationEssentials\"\n"
    "protocol_name: .asciz \"LocalizedError\"\n"
    ".popsection\n");
#endif
