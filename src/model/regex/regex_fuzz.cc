// The first byte chooses options; the rest is a pattern, a line feed and a text. What is found lies
// within the text, and is found by both ways of searching.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/check.h"
#include "model/regex/regex.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  const std::string_view input(reinterpret_cast<const char*>(data) + 1, size - 1);
  const size_t end = input.find('\n');
  const orrery::model::RegexOptions options{.ignore_case = (data[0] & 1) != 0,
                                            .multiple_lines = (data[0] & 2) != 0,
                                            .dot_matches_newline = (data[0] & 4) != 0,
                                            .ignore_space = (data[0] & 8) != 0,
                                            .unicode_classes = (data[0] & 16) != 0,
                                            .short_escapes = (data[0] & 32) != 0};
  const auto regex = orrery::model::Regex::Compile(input.substr(0, end), options);
  if (!regex.has_value() || end == std::string_view::npos) return 0;
  const std::string_view text = input.substr(end + 1);
  const auto found = regex->Search(text);
  const auto match = regex->Find(text);
  if (!match.has_value()) return 0;
  ORRERY_CHECK(found.has_value() && *found == match->has_value());
  if (!match->has_value()) return 0;
  ORRERY_CHECK((*match)->groups.size() == regex->group_count());
  ORRERY_CHECK((*match)->whole.begin <= text.size() && (*match)->whole.end <= text.size());
  for (const auto& group : (*match)->groups)
    ORRERY_CHECK(!group.has_value() || (group->begin <= group->end && group->end <= text.size()));
  return 0;
}
