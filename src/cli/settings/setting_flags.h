// A SettingFlags defines the settings of a server as flags of a verb (`serve`, `run`) and puts the
// settings together once the command line was read.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/status.h"
#include "cli/settings/setting_table.h"
#include "cli/settings/settings_loader.h"

namespace CLI {
class App;
}

namespace orrery::cli {

class SettingFlags {
 public:
  void Define(CLI::App& app);
  // REQUIRES: the command line was read. `defaults` are what no source says otherwise.
  Result<ServerSettings> Load(const std::vector<NamedText>& variables,
                              ServerSettings defaults = {}) const;

 private:
  const std::vector<Setting> table_ = MakeSettingTable();
  std::vector<NamedText> flags_;
  std::optional<std::string> file_;
};

}  // namespace orrery::cli
