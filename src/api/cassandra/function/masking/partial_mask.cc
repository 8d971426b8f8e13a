#include "api/cassandra/function/masking/partial_mask.h"

#include "base/utf8.h"

namespace orrery::cassandra {

size_t CharacterCount(std::string_view text) {
  size_t count = 0;
  for (; !text.empty(); ++count) text.remove_prefix(FirstUtf8Character(text).size());
  return count;
}

std::string MaskPart(std::string_view text, MaskedPart part, int32_t begin, int32_t end,
                     std::string_view padding) {
  const int64_t last = static_cast<int64_t>(CharacterCount(text)) - 1 - end;
  std::string masked;
  for (int64_t i = 0; !text.empty(); ++i) {
    const std::string_view character = FirstUtf8Character(text);
    const bool is_inner = i >= begin && i <= last;
    masked += is_inner == (part == MaskedPart::kInner) ? padding : character;
    text.remove_prefix(character.size());
  }
  return masked;
}

}  // namespace orrery::cassandra
