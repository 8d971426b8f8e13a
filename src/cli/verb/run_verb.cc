#include <CLI/CLI.hpp>

#include <string>
#include <utility>
#include <vector>

#include "cli/settings/setting_flags.h"
#include "cli/verb/verb.h"

namespace orrery::cli {
namespace {

// Returns the settings of a throw-away server: free ports, nothing kept, and only what matters in
// the log.
ServerSettings ThrowawaySettings() {
  ServerSettings settings;
  settings.data_directory = kMemoryData;
  settings.sql_port = 0;
  settings.sql_direct_port = {.port = 0, .or_free = false};
  settings.cassandra = {.native = 0, .cosmos = 0};
  settings.table = {.cosmos = 0, .storage = 0, .or_free = false};
  settings.mongo = {.native = 0, .cosmos = 0, .or_free = false};
  settings.gremlin = {.native = 0, .cosmos = 0, .or_free = false};
  settings.log_level = LogLevel::kWarn;
  return settings;
}

class RunVerb final : public Verb {
 public:
  explicit RunVerb(RunFunction run) : run_(std::move(run)) {}

  std::string_view name() const override { return "run"; }
  std::string_view summary() const override {
    return "start a throw-away server, run a command with it, and stop it";
  }
  std::string_view examples() const override {
    return "  orrery run -- npm test\n"
           "  orrery run -- pytest -x tests/\n"
           "  orrery run --data ./fixtures -- ./load.sh        a data directory that stays\n"
           "  orrery run -- sh -c 'echo $MONGODB_URI'\n"
           "\n"
           "The command finds the server by its environment: COSMOS_ENDPOINT, COSMOS_KEY,\n"
           "COSMOS_CONNECTION_STRING, CASSANDRA_HOST, CASSANDRA_PORT, CASSANDRA_DATACENTER,\n"
           "MONGODB_URI, MONGO_URL, AZURE_STORAGE_CONNECTION_STRING,\n"
           "AZURE_TABLES_CONNECTION_STRING, GREMLIN_URL, ORRERY_URL and ORRERY_KEY.\n"
           "All ports are free ones, so that any number of these can run at once. The exit code\n"
           "is the command's, or 128 and the number of the signal that ended it.\n"
           "The flags are those of `orrery serve`.";
  }

  void DefineFlags(CLI::App& app) override {
    settings_.Define(app);
    app.add_option("command", command_, "the command and its arguments, behind --")->required();
  }

  Status Run(Console& console) override {
    ORRERY_ASSIGN(const ServerSettings settings,
                  settings_.Load(console.variables, ThrowawaySettings()));
    ORRERY_ASSIGN(console.exit_code, run_(settings, command_));
    return {};
  }

 private:
  const RunFunction run_;
  SettingFlags settings_;
  std::vector<std::string> command_;
};

}  // namespace

std::unique_ptr<Verb> MakeRunVerb(RunFunction run) {
  return std::make_unique<RunVerb>(std::move(run));
}

}  // namespace orrery::cli
