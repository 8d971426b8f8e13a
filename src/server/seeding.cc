#include "server/seeding.h"

#include <fmt/format.h>

#include <csignal>
#include <fstream>
#include <iterator>
#include <set>
#include <sstream>
#include <utility>

#include "base/clock.h"
#include "base/log.h"
#include "cli/seed/seed_run.h"
#include "net/http/url.h"
#include "server/random_key.h"
#include "server/server.h"
#include "server/staged_data.h"

namespace orrery::server {
namespace {

constexpr std::string_view kSeededHeader = "orrery seed 1";

// Returns whether somebody asks the process to end. The signals are blocked until the server
// serves.
bool EndIsPending() {
  sigset_t pending;
  sigpending(&pending);
  return sigismember(&pending, SIGTERM) == 1 || sigismember(&pending, SIGINT) == 1 ||
         sigismember(&pending, SIGHUP) == 1;
}

std::set<std::string> ReadSeeded(const std::string& directory) {
  std::ifstream in(directory + "/SEEDED");
  std::string line;
  if (!std::getline(in, line) || line != kSeededHeader) return {};
  return {std::istream_iterator<std::string>(in), std::istream_iterator<std::string>()};
}

Status WriteSeeded(const std::string& directory, const std::set<std::string>& digests) {
  std::ofstream out(directory + "/SEEDED");
  out << kSeededHeader << "\n";
  for (const std::string& digest : digests) out << digest << "\n";
  out.flush();
  if (out) return {};
  return Fail(Code::kForbidden, fmt::format("{}/SEEDED cannot be written", directory));
}

// The settings of the server that loads: as those of the one that will serve, but for who reaches
// it.
Result<cli::ServerSettings> LoaderSettings(const cli::ServerSettings& settings,
                                           const std::string& directory) {
  cli::ServerSettings loader = settings;
  loader.seed_directory.clear();
  loader.ready_file.clear();
  loader.health_port.reset();
  loader.data_directory = directory;
  loader.listen_address = "127.0.0.1";
  loader.advertise.clear();
  loader.sql_port = 0;
  loader.sql_direct_port = {.port = std::nullopt, .or_free = false};
  // The ports that ask for credentials.
  loader.cassandra = {.native = std::nullopt, .cosmos = 0};
  loader.mongo = {.native = std::nullopt, .cosmos = 0, .or_free = false};
  loader.gremlin = {.native = std::nullopt, .cosmos = 0, .or_free = false};
  loader.table = {.cosmos = 0, .storage = std::nullopt, .or_free = false};
  loader.tls.mode = cli::TlsSettings::Mode::kOff;
  loader.auth = cli::AuthMode::kRequired;
  loader.limits.meters = false;
  loader.keys = gateway::AccountKeys();
  loader.keys.account = settings.keys.account;
  ORRERY_ASSIGN(loader.keys.primary, RandomKey());
  return loader;
}

cli::SeedEndpoints EndpointsOfLoader(const cli::ServerSettings& settings, const Server& server) {
  const auto url = [](uint16_t port) { return fmt::format("http://127.0.0.1:{}/", port); };
  cli::SeedEndpoints endpoints;
  endpoints.account = settings.keys.account;
  endpoints.sql = {.url = url(server.port()), .key = settings.keys.primary};
  endpoints.table_url = url(server.table_port());
  endpoints.gremlin_url = url(server.gremlin_cosmos_port());
  endpoints.cassandra = cli::CqlAddress{.socket = {.port = server.cassandra_cosmos_port()},
                                        .user = settings.keys.account,
                                        .password = settings.keys.primary};
  endpoints.mongo = cli::MongoAddress{.socket = {.port = server.mongo_cosmos_port()},
                                      .user = settings.keys.account,
                                      .password = settings.keys.primary};
  return endpoints;
}

}  // namespace

Status SeedData(const cli::ServerSettings& settings, const DataDirectory& data,
                const std::shared_ptr<script::Engine>& scripts) {
  if (settings.store != cli::StoreKind::kLocal) {
    return Fail(Code::kUnsupported,
                "--seed loads into a data directory; load a cluster with `orrery import`");
  }
  cli::SeedOptions options;
  options.directory = settings.seed_directory;
  options.goes_on = settings.seed_continues;
  options.loaded = ReadSeeded(data.path());
  options.interrupted = EndIsPending;
  options.progress = [](std::string_view line) { LogInfo("seed: {}", line); };
  const auto has_more = cli::HasUnloadedSeeds(options);
  if (!has_more.has_value()) return Fail(Error(has_more.error()).Annotate("--seed"));
  if (!*has_more) {
    LogInfo("seed: everything in {} is loaded already", options.directory);
    return {};
  }
  const SystemClock clock;
  const Micros begin = clock.Monotonic();
  ORRERY_ASSIGN(StagedData staged, StagedData::Make(data.path()));
  ORRERY_ASSIGN(const cli::ServerSettings loader, LoaderSettings(settings, staged.path()));
  Result<cli::SeedOutcome> outcome = cli::SeedOutcome{};
  {
    ORRERY_ASSIGN(const auto server, Server::Start(loader, clock, scripts));
    outcome = cli::RunSeed(options, EndpointsOfLoader(loader, *server));
    server->Stop();
  }
  if (!outcome.has_value()) {
    return Fail(outcome.error().code(),
                fmt::format("nothing of the seed directory '{}' was loaded:\n{}",
                            settings.seed_directory, outcome.error().message()));
  }
  ORRERY_TRY(WriteSeeded(staged.path(), outcome->loaded));
  ORRERY_TRY(staged.Adopt());
  if (outcome->errors > 0)
    LogWarn("seed: {} errors; what they are of was left out:\n{}", outcome->errors,
            outcome->error_text);
  LogInfo("seed: {} items of {} files loaded in {} ms", outcome->items, outcome->files,
          (clock.Monotonic() - begin).count() / 1'000);
  return {};
}

}  // namespace orrery::server
