// Text for JSON.
#ifndef PEER_JSON_H
#define PEER_JSON_H

#include <stdbool.h>
#include <stddef.h>

// The most bytes that size bytes of text become as a string of JSON, with its
// quotes and a final NUL; and as hexadecimal digits.
#define JSON_STRING_SIZE(size) (6 * (size) + 3)
#define JSON_HEX_SIZE(size) (2 * (size) + 1)

// Writes text as a string, quotes included. Each byte that is not part of valid
// UTF-8 becomes the replacement character.
void json_string(char *to, const char *text, size_t size);

// Writes text as hexadecimal digits.
void json_hex(char *to, const char *text, size_t size);

// Tells whether text is UTF-8.
bool json_is_utf8(const char *text, size_t size);

#endif
