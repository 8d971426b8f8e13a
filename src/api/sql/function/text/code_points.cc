#include "api/sql/function/text/code_points.h"

#include <algorithm>
#include <cstdint>

namespace orrery::sql {
namespace {

bool IsContinuation(char byte) { return (static_cast<uint8_t>(byte) & 0xC0) == 0x80; }

// Returns how many bytes follow the first one of a sequence.
size_t Following(uint8_t first) {
  if (first >= 0xF0) return 3;
  if (first >= 0xE0) return 2;
  return first >= 0xC0 ? 1 : 0;
}

}  // namespace

std::u32string ToCodePoints(std::string_view text) {
  std::u32string characters;
  characters.reserve(text.size());
  for (size_t i = 0; i < text.size();) {
    const auto first = static_cast<uint8_t>(text[i++]);
    const size_t following = Following(first);
    char32_t character = following == 0 ? first : first & (0x3Fu >> following);
    for (size_t k = 0; k < following && i < text.size() && IsContinuation(text[i]); ++k)
      character = character << 6 | (static_cast<uint8_t>(text[i++]) & 0x3Fu);
    characters.push_back(character);
  }
  return characters;
}

void AppendCodePoint(std::string& out, char32_t character) {
  const auto tail = [&](int shift) {
    out.push_back(static_cast<char>(0x80 | (character >> shift & 0x3F)));
  };
  if (character < 0x80) {
    out.push_back(static_cast<char>(character));
  } else if (character < 0x800) {
    out.push_back(static_cast<char>(0xC0 | character >> 6));
    tail(0);
  } else if (character < 0x10000) {
    out.push_back(static_cast<char>(0xE0 | character >> 12));
    tail(6);
    tail(0);
  } else {
    out.push_back(static_cast<char>(0xF0 | character >> 18));
    tail(12);
    tail(6);
    tail(0);
  }
}

size_t CountCodePoints(std::string_view text) {
  return static_cast<size_t>(
      std::ranges::count_if(text, [](char byte) { return !IsContinuation(byte); }));
}

size_t ByteOfCodePoint(std::string_view text, size_t character) {
  size_t byte = 0;
  for (; byte < text.size(); ++byte) {
    if (IsContinuation(text[byte])) continue;
    if (character == 0) return byte;
    --character;
  }
  return text.size();
}

}  // namespace orrery::sql
