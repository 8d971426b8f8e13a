#include "base/utf8.h"

#include <cstdint>
#include <cstring>

namespace orrery {
namespace {

bool IsContinuation(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

// The length of the well-formed sequence that starts `text`, 0 when there is none.
size_t SequenceLength(std::string_view text) {
  const auto byte = [&](size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(0);
  if (first < 0x80) return 1;

  size_t length = 0;
  if (first >= 0xC2 && first <= 0xDF) length = 2;
  if ((first & 0xF0) == 0xE0) length = 3;
  if (first >= 0xF0 && first <= 0xF4) length = 4;
  if (length == 0 || text.size() < length) return 0;
  for (size_t i = 1; i < length; ++i) {
    if (!IsContinuation(text[i])) return 0;
  }
  // The second byte rules out overlong forms, surrogates and what lies beyond U+10FFFF.
  if (first == 0xE0 && byte(1) < 0xA0) return 0;
  if (first == 0xED && byte(1) > 0x9F) return 0;
  if (first == 0xF0 && byte(1) < 0x90) return 0;
  if (first == 0xF4 && byte(1) > 0x8F) return 0;
  return length;
}

}  // namespace

size_t FindInvalidUtf8(std::string_view text) {
  size_t at = 0;
  while (at < text.size()) {
    // Text is nearly always ASCII: look at eight bytes at once.
    if (uint64_t word = 0; text.size() - at >= sizeof(word)) {
      std::memcpy(&word, text.data() + at, sizeof(word));
      if ((word & 0x8080808080808080) == 0) {
        at += sizeof(word);
        continue;
      }
    }
    const size_t length = SequenceLength(text.substr(at));
    if (length == 0) return at;
    at += length;
  }
  return std::string_view::npos;
}

std::string_view Utf8Prefix(std::string_view text, size_t bytes_max) {
  if (text.size() <= bytes_max) return text;
  size_t end = bytes_max;
  while (end > 0 && IsContinuation(text[end])) --end;
  return text.substr(0, end);
}

std::string_view FirstUtf8Character(std::string_view text) {
  size_t end = text.empty() ? 0 : 1;
  while (end < text.size() && IsContinuation(text[end])) ++end;
  return text.substr(0, end);
}

}  // namespace orrery
