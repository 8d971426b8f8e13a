// The settings file: one `name = value` a line, the names being those of the flags without "--".
//
//   file    := line*
//   line    := blank | "#" comment | name "=" value ["#" comment]
//   value   := "\"" any but quotes "\"" | text without "#"
//
// Blanks around names and values do not count. A switch is set by true or false.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace orrery::cli {

struct FileSetting {
  std::string name;
  std::string value;
  size_t line = 0;  // from 1
};

inline constexpr size_t kSettingsFileBytesMax = 1 << 20;

// kInvalidArgument "line 3: ..." when a line is none of the above or a name comes twice.
Result<std::vector<FileSetting>> ParseSettingsFile(std::string_view text);

// The file's bytes; kNotFound or kForbidden with the path and what to do, kTooLarge beyond
// `bytes_max`.
Result<std::string> ReadSmallFile(const std::string& path, size_t bytes_max);

}  // namespace orrery::cli
