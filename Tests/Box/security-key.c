// A security key in software, for OpenSSH's programs as their SecurityKeyProvider (PROTOCOL.u2f in OpenSSH's source, "Middleware"):
// Ed25519 keys whose handle is the private key itself, and a button that is pressed unless NOT_PRESSED is set.
#include <openssl/evp.h>
#include <openssl/sha.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { version = 0x000a0000, ed25519 = 1, pressed = 1, failure = -1, unsupported = -2 };

struct sk_option;

struct sk_enroll_response {
    uint8_t flags;
    uint8_t *public_key;
    size_t public_key_len;
    uint8_t *key_handle;
    size_t key_handle_len;
    uint8_t *signature;
    size_t signature_len;
    uint8_t *attestation_cert;
    size_t attestation_cert_len;
    uint8_t *authdata;
    size_t authdata_len;
};

struct sk_sign_response {
    uint8_t flags;
    uint32_t counter;
    uint8_t *sig_r;
    size_t sig_r_len;
    uint8_t *sig_s;
    size_t sig_s_len;
};

uint32_t sk_api_version(void) { return version; }

int sk_enroll(uint32_t alg, const uint8_t *challenge, size_t challenge_len, const char *application, uint8_t flags,
              const char *pin, struct sk_option **options, struct sk_enroll_response **response) {
    if (alg != ed25519) return unsupported;
    EVP_PKEY *key = EVP_PKEY_Q_keygen(NULL, NULL, "ED25519");
    struct sk_enroll_response *made = calloc(1, sizeof *made);
    made->flags = flags;
    made->public_key = malloc(made->public_key_len = 32);
    made->key_handle = malloc(made->key_handle_len = 32);
    // OpenSSH asks for an attestation, and looks at none.
    made->signature = calloc(1, made->signature_len = 64);
    if (!EVP_PKEY_get_raw_public_key(key, made->public_key, &made->public_key_len)) return failure;
    if (!EVP_PKEY_get_raw_private_key(key, made->key_handle, &made->key_handle_len)) return failure;
    *response = made;
    return 0;
}

int sk_sign(uint32_t alg, const uint8_t *data, size_t data_len, const char *application, const uint8_t *key_handle,
            size_t key_handle_len, uint8_t flags, const char *pin, struct sk_option **options,
            struct sk_sign_response **response) {
    if (alg != ed25519) return unsupported;
    // SHA-256 of the application, the flags, a counter, SHA-256 of the message (PROTOCOL.u2f, "U2F signatures").
    uint8_t text[32 + 1 + 4 + 32] = {0};
    SHA256((const uint8_t *)application, strlen(application), text);
    uint8_t button = getenv("NOT_PRESSED") ? 0 : pressed;
    text[32] = button;
    SHA256(data, data_len, text + 37);
    EVP_PKEY *key = EVP_PKEY_new_raw_private_key(EVP_PKEY_ED25519, NULL, key_handle, key_handle_len);
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    struct sk_sign_response *made = calloc(1, sizeof *made);
    made->flags = button;
    made->sig_r = malloc(made->sig_r_len = 64);
    if (!key || !EVP_DigestSignInit(context, NULL, NULL, NULL, key)) return failure;
    if (!EVP_DigestSign(context, made->sig_r, &made->sig_r_len, text, sizeof text)) return failure;
    *response = made;
    return 0;
}

int sk_load_resident_keys(const char *pin, struct sk_option **options, void ***keys, size_t *count) { return unsupported; }
