#include "api/cassandra/protocol/body/utf8.h"

#include <cstdint>
#include <cstring>

namespace orrery::cassandra {
namespace {

bool IsContinuation(char byte) { return (static_cast<uint8_t>(byte) & 0xC0) == 0x80; }

// The size of the well-formed character at the head of `rest`, 0 if there is none.
size_t CharacterSize(std::string_view rest) {
  const auto first = static_cast<uint8_t>(rest[0]);
  if (first < 0x80) return 1;
  const size_t size = first < 0xC2 ? 0 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : first < 0xF5 ? 4 : 0;
  if (size == 0 || rest.size() < size) return 0;
  for (size_t i = 1; i < size; ++i) {
    if (!IsContinuation(rest[i])) return 0;
  }
  const auto second = static_cast<uint8_t>(rest[1]);
  const bool out_of_range = (first == 0xE0 && second < 0xA0) ||  // overlong
                            (first == 0xED && second > 0x9F) ||  // surrogate
                            (first == 0xF0 && second < 0x90) ||  // overlong
                            (first == 0xF4 && second > 0x8F);    // beyond U+10FFFF
  return out_of_range ? 0 : size;
}

}  // namespace

bool IsUtf8(std::string_view text) {
  while (!text.empty()) {
    // Statements are nearly always ASCII: eight bytes at a time.
    while (text.size() >= sizeof(uint64_t)) {
      uint64_t word;
      std::memcpy(&word, text.data(), sizeof(word));
      if ((word & 0x8080808080808080u) != 0) break;
      text.remove_prefix(sizeof(word));
    }
    if (text.empty()) break;
    const size_t size = CharacterSize(text);
    if (size == 0) return false;
    text.remove_prefix(size);
  }
  return true;
}

std::string_view Utf8Prefix(std::string_view text, size_t size_max) {
  if (text.size() <= size_max) return text;
  size_t size = size_max;
  while (size > 0 && IsContinuation(text[size])) --size;
  return text.substr(0, size);
}

}  // namespace orrery::cassandra
