// Puts a server's settings together from the three places where they can be said.
//
// A flag beats a variable, a variable beats the settings file, and that beats the default. What is
// not known anywhere is an error that names the nearest known thing: a mistyped setting must not be
// silently a default.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/status.h"
#include "cli/settings/server_settings.h"
#include "cli/settings/setting_table.h"

namespace orrery::cli {

using NamedText = std::pair<std::string, std::string>;

struct SettingSources {
  std::vector<NamedText> flags{};      // by setting name, without "--"
  std::vector<NamedText> variables{};  // the environment's ORRERY_ ones, by full name
  std::optional<std::string> file{};   // path; when not given, ORRERY_CONFIG is examined
  ServerSettings defaults{};           // what no other source says
};

// kInvalidArgument says which source, which setting, what is wrong and what would be right.
Result<ServerSettings> LoadSettings(std::span<const Setting> table, const SettingSources& sources);

// The process's variables that begin with ORRERY_.
std::vector<NamedText> OrreryVariables(const char* const* environment);

// Refuses a variable that is neither a setting's nor one of the program's own (ORRERY_URL,
// ORRERY_CONFIG).
Status CheckVariables(std::span<const Setting> table, std::span<const NamedText> variables);

}  // namespace orrery::cli
