// The first byte is the escape character, or none when it is 0; the rest is a pattern, a line feed
// and a text.
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "api/sql/function/operator/like_pattern.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const size_t end = input.find('\n', 1);
  std::optional<std::string_view> escape;
  if (data[0] != 0) escape = input.substr(0, 1);
  const auto pattern =
      orrery::sql::LikePattern::Parse(input.substr(1, end == input.npos ? end : end - 1), escape);
  if (pattern.has_value() && end != std::string_view::npos)
    static_cast<void>(pattern->Matches(input.substr(end + 1)));
  return 0;
}
