// The list of a server's settings: the one place that names each, explains it and reads its value.
//
// A setting "cache-mb" is the flag --cache-mb, the variable ORRERY_CACHE_MB and the line
// `cache-mb = 256` of a settings file; all three go through the same `apply`.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "cli/settings/server_settings.h"

namespace orrery::cli {

struct Setting {
  std::string name;
  std::string value_hint;  // "SIZE"; empty for a switch, which is true or false
  std::string group;       // heading in the help
  std::string help;
  std::function<Status(ServerSettings&, const std::string& value)> apply;

  bool is_switch() const { return value_hint.empty(); }
};

// All settings in the order in which the help shows them.
std::vector<Setting> MakeSettingTable();

// "cache-mb" as "ORRERY_CACHE_MB".
std::string VariableName(std::string_view setting);

}  // namespace orrery::cli
