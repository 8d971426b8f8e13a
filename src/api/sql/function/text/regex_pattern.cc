#include "api/sql/function/text/regex_pattern.h"

#include <fmt/format.h>

namespace orrery::sql {

Result<model::Regex> CompileRegex(std::string_view pattern, std::string_view modifiers) {
  model::RegexOptions options{.unicode_classes = true, .short_escapes = true};
  for (const char letter : modifiers) {
    switch (letter) {
      case 'i':
        options.ignore_case = true;
        break;
      case 'm':
        options.multiple_lines = true;
        break;
      case 's':
        options.dot_matches_newline = true;
        break;
      case 'x':
        options.ignore_space = true;
        break;
      default:
        return Fail(Code::kInvalidArgument,
                    fmt::format("unknown modifier '{}' of a regular expression: there are i, m, s "
                                "and x",
                                letter));
    }
  }
  return model::Regex::Compile(pattern, options);
}

}  // namespace orrery::sql
