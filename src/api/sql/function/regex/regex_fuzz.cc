// The first byte chooses flags; the rest is a pattern, a line feed and a text.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "api/sql/function/regex/regex.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  const std::string_view input(reinterpret_cast<const char*>(data) + 1, size - 1);
  const size_t end = input.find('\n');
  const orrery::sql::RegexFlags flags{.ignore_case = (data[0] & 1) != 0,
                                      .multiple_lines = (data[0] & 2) != 0,
                                      .dot_matches_newline = (data[0] & 4) != 0,
                                      .ignore_space = (data[0] & 8) != 0};
  const auto regex = orrery::sql::Regex::Compile(input.substr(0, end), flags);
  if (regex.has_value() && end != std::string_view::npos) {
    const auto found = regex->Search(input.substr(end + 1));
    static_cast<void>(found);
  }
  return 0;
}
