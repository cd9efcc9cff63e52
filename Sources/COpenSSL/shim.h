// Why this exists: SHA-256 of the system's libcrypto, which is linked in statically. The calls that
// keep their state on the stack allocate nothing, which those of the EVP interface do.
#pragma once
#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/sha.h>
