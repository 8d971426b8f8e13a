#include <utility>

#include "cli/settings/setting_flags.h"
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
           "  orrery serve --data memory --ready-file r.json   a throw-away server; r.json says "
           "where\n"
           "  orrery serve --listen 0.0.0.0 --key-file FILE    for other machines: own key, TLS\n"
           "\n"
           "Every flag is also a variable (--cache-mb: ORRERY_CACHE_MB) and a line of the settings "
           "file.\n"
           "A flag beats a variable, a variable beats the file.";
  }

  void DefineFlags(CLI::App& app) override { settings_.Define(app); }

  Status Run(Console& console) override {
    ORRERY_ASSIGN(const ServerSettings settings, settings_.Load(console.variables));
    return serve_(settings, console.out);
  }

 private:
  const ServeFunction serve_;
  SettingFlags settings_;
};

}  // namespace

std::unique_ptr<Verb> MakeServeVerb(ServeFunction serve) {
  return std::make_unique<ServeVerb>(std::move(serve));
}

}  // namespace orrery::cli
