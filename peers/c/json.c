#include "json.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

// The number of bytes of the UTF-8 sequence at the start of text, 1 to 4, and the
// character; 0: it is none. Overlong forms, surrogates and what lies behind
// U+10FFFF are none (RFC 3629).
static size_t decode(const char *text, size_t size, uint32_t *character) {
  static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
  unsigned char first = (unsigned char)text[0];
  size_t length = first < 0x80 ? 1 : first < 0xc0 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  if (length == 0 || length > size || first > 0xf4) {
    return 0;
  }
  uint32_t c = length == 1 ? first : first & (0x7fu >> length);
  for (size_t i = 1; i < length; i++) {
    unsigned char next = (unsigned char)text[i];
    if ((next & 0xc0) != 0x80) {
      return 0;
    }
    c = c << 6 | (next & 0x3fu);
  }
  if (c < least[length] || c > 0x10ffff || (c >= 0xd800 && c <= 0xdfff)) {
    return 0;
  }
  *character = c;
  return length;
}

bool json_is_utf8(const char *text, size_t size) {
  uint32_t character;
  while (size != 0) {
    size_t n = decode(text, size, &character);
    if (n == 0) {
      return false;
    }
    text += n;
    size -= n;
  }
  return true;
}

// The letter behind the backslash of the characters that have one; 0: none.
static char short_escape(uint32_t character) {
  switch (character) {
  case '"':
  case '\\':
    return (char)character;
  case '\b':
    return 'b';
  case '\f':
    return 'f';
  case '\n':
    return 'n';
  case '\r':
    return 'r';
  case '\t':
    return 't';
  default:
    return 0;
  }
}

void json_string(char *to, const char *text, size_t size) {
  *to++ = '"';
  while (size != 0) {
    uint32_t c = 0xfffd;
    size_t n = decode(text, size, &c);
    char letter = short_escape(c);
    // The two line separators would end a line of JavaScript.
    if (n == 0 || c < 0x20 || c == 0x2028 || c == 0x2029 || letter != 0) {
      to += letter != 0 ? sprintf(to, "\\%c", letter) : sprintf(to, "\\u%04x", (unsigned)c);
    } else {
      memcpy(to, text, n);
      to += n;
    }
    n = n == 0 ? 1 : n;
    text += n;
    size -= n;
  }
  memcpy(to, "\"", 2);
}

void json_hex(char *to, const char *text, size_t size) {
  for (size_t i = 0; i < size; i++) {
    to += sprintf(to, "%02x", (unsigned)(unsigned char)text[i]);
  }
  *to = '\0';
}
