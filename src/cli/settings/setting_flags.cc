#include "cli/settings/setting_flags.h"

#include <CLI/CLI.hpp>

#include <utility>

namespace orrery::cli {

void SettingFlags::Define(CLI::App& app) {
  app.add_option("--config", file_, "settings file; ORRERY_CONFIG names one too")
      ->type_name("FILE")
      ->group("Data");
  for (const Setting& setting : table_) {
    const std::string flag = "--" + setting.name;
    const auto note = [this, name = setting.name](const std::string& value) {
      flags_.emplace_back(name, value);
    };
    CLI::Option* option =
        setting.is_switch()
            ? app.add_flag_function(
                  flag, [note](int64_t count) { note(count > 0 ? "true" : "false"); }, setting.help)
            : app.add_option_function<std::string>(flag, note, setting.help)
                  ->type_name(setting.value_hint);
    option->group(setting.group);
  }
}

Result<ServerSettings> SettingFlags::Load(const std::vector<NamedText>& variables,
                                          ServerSettings defaults) const {
  return LoadSettings(
      table_,
      {.flags = flags_, .variables = variables, .file = file_, .defaults = std::move(defaults)});
}

}  // namespace orrery::cli
