#include <stdio.h>
typedef unsigned short UChar;
void swift_u_init(int *error);
const char *swift_u_errorName(int error);
void *swift_ucol_open(const char *locale, int *error);
int swift_uloc_getDisplayLanguage(const char *locale, const char *in, UChar *name, int room, int *error);
int main(void) {
    int error = 0;
    UChar name[100];
    swift_u_init(&error);
    printf("%s\n", swift_u_errorName(error));
    error = 0;
    void *collator = swift_ucol_open("de", &error);
    printf("%s, %s\n", swift_u_errorName(error), collator ? "a collator" : "no collator");
    error = 0;
    int length = swift_uloc_getDisplayLanguage("de", "fr", name, 100, &error);
    printf("%s, %d letters\n", swift_u_errorName(error), length);
}
