#include "server/private_server.h"

#include <fmt/format.h>

#include <csignal>
#include <string_view>
#include <utility>

#include "base/clock.h"
#include "base/log.h"
#include "server/random_key.h"
#include "server/server.h"

namespace orrery::server {
namespace {

class PrivateServer final : public cli::PrivateServer {
 public:
  Status Start(const cli::ServerSettings& settings) {
    key_ = settings.keys.primary;
    ORRERY_ASSIGN(server_, Server::Start(settings, clock_));
    return {};
  }

  cli::AdminAddress address() const override {
    return {.url = fmt::format("http://127.0.0.1:{}", server_->port()), .key = key_, .ca_file = ""};
  }

 private:
  const SystemClock clock_;
  std::string key_;
  std::unique_ptr<Server> server_;
};

}  // namespace

Result<std::unique_ptr<cli::PrivateServer>> OpenPrivately(const std::string& directory) {
  cli::ServerSettings settings;
  settings.data_directory = directory;
  settings.sql_port = 0;
  settings.cassandra = {.native = std::nullopt, .cosmos = std::nullopt};
  settings.mongo = {.native = std::nullopt, .cosmos = std::nullopt};
  settings.table = {.cosmos = std::nullopt, .storage = std::nullopt};
  settings.tls.mode = cli::TlsSettings::Mode::kOff;
  settings.auth = cli::AuthMode::kRequired;
  settings.log_level = LogLevel::kWarn;
  ORRERY_ASSIGN(settings.keys.primary, RandomKey());
  SetLogLevel(settings.log_level);
  SetLogFormat(settings.log_format);
  SetRequestLog(settings.request_log);
  std::signal(SIGPIPE, SIG_IGN);
  auto server = std::make_unique<PrivateServer>();
  ORRERY_TRY(server->Start(settings));
  return server;
}

}  // namespace orrery::server
