#include <CLI/CLI.hpp>

#include <optional>
#include <utility>

#include "cli/settings/setting_table.h"
#include "cli/verb/verb.h"

namespace orrery::cli {
namespace {

class ServeVerb final : public Verb {
 public:
  explicit ServeVerb(ServeFunction serve) : serve_(std::move(serve)) {}

  std::string_view name() const override { return "serve"; }
  std::string_view summary() const override {
    return "run a server until it is told to stop (SIGTERM, Ctrl-C)";
  }
  std::string_view examples() const override {
    return "  orrery serve                                     on 127.0.0.1:8081, data in "
           "./orrery-data\n"
           "  orrery serve --data /var/lib/orrery --cache-mb 2GB\n"
           "  orrery serve --config /etc/orrery.conf           lines such as `cache-mb = 2GB`\n"
           "  ORRERY_SQL_PORT=0 orrery serve --durability os   a throw-away server on any free "
           "port\n"
           "  orrery serve --listen 0.0.0.0 --key-file FILE    for other machines: own key, TLS\n"
           "\n"
           "Every flag is also a variable (--cache-mb: ORRERY_CACHE_MB) and a line of the settings "
           "file.\n"
           "A flag beats a variable, a variable beats the file.";
  }

  void DefineFlags(CLI::App& app) override {
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
                    flag, [note](int64_t count) { note(count > 0 ? "true" : "false"); },
                    setting.help)
              : app.add_option_function<std::string>(flag, note, setting.help)
                    ->type_name(setting.value_hint);
      option->group(setting.group);
    }
  }

  Status Run(Console& console) override {
    ORRERY_ASSIGN(
        const ServerSettings settings,
        LoadSettings(table_, {.flags = flags_, .variables = console.variables, .file = file_}));
    return serve_(settings, console.out);
  }

 private:
  const ServeFunction serve_;
  const std::vector<Setting> table_ = MakeSettingTable();
  std::vector<NamedText> flags_;
  std::optional<std::string> file_;
};

}  // namespace

std::unique_ptr<Verb> MakeServeVerb(ServeFunction serve) {
  return std::make_unique<ServeVerb>(std::move(serve));
}

}  // namespace orrery::cli
