#include "server/serve.h"

#include <fmt/format.h>
#include <pthread.h>
#include <sys/resource.h>

#include <csignal>
#include <ostream>
#include <string>

#include "base/clock.h"
#include "base/log.h"
#include "cli/verb/version.h"
#include "net/http/url.h"
#include "server/server.h"

namespace orrery::server {
namespace {

// Table files of many partitions need many descriptors.
void RaiseOpenFileLimit() {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur == limit.rlim_max) return;
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);
}

// The signals that end the server: blocked in every thread, taken by sigwait in this one.
sigset_t EndSignals() {
  sigset_t signals;
  sigemptyset(&signals);
  for (const int signal : {SIGTERM, SIGINT, SIGHUP}) sigaddset(&signals, signal);
  return signals;
}

void PrintWelcome(const cli::ServerSettings& settings, const Server& server, Micros start_time,
                  std::ostream& out) {
  const bool everywhere = settings.listen_address == "0.0.0.0" || settings.listen_address == "::";
  const std::string host = everywhere ? "localhost" : settings.listen_address;
  const std::string authority = net::FormatHostPort({host, server.port()});
  const bool only_tls =
      server.tls() && !cli::IsLoopback(settings.listen_address) && !settings.allow_insecure;
  const std::string url = fmt::format("{}://{}", only_tls ? "https" : "http", authority);
  const bool well_known = settings.keys.primary == gateway::kWellKnownKey;
  out << fmt::format("Orrery {} listens on {}{}\n", cli::Version(),
                     net::FormatHostPort({settings.listen_address, server.port()}),
                     !server.tls() ? " (http)"
                     : only_tls    ? " (https)"
                                   : " (http and https)");
  out << fmt::format("  account    {}, {}\n", settings.keys.account,
                     well_known ? "with the well-known key of the emulators" : "with your key");
  out << fmt::format("  connect    AccountEndpoint={}/;AccountKey={};\n", url,
                     well_known ? std::string(gateway::kWellKnownKey) : std::string("<your key>"));
  if (server.cassandra_port() != 0) {
    out << fmt::format("  cassandra  {}   (cqlsh {} {}{})\n",
                       net::FormatHostPort({host, server.cassandra_port()}), host,
                       server.cassandra_port(),
                       cli::EffectiveAuth(settings) == cli::AuthMode::kLocal
                           ? ""
                           : fmt::format(" -u {} -p <key>", settings.keys.account));
  }
  if (server.cassandra_cosmos_port() != 0) {
    out << fmt::format("             {}   (with credentials: user {}, the key as password)\n",
                       net::FormatHostPort({host, server.cassandra_cosmos_port()}),
                       settings.keys.account);
  }
  out << fmt::format("  admin      {}/_admin/v1/status   (or: orrery status)\n", url);
  out << fmt::format("  metrics    {}/metrics\n", url);
  out << fmt::format("  data       {}{}\n", server.data_directory(),
                     settings.durability == storage::Durability::kOs
                         ? " (durability os: a power cut may lose writes)"
                         : "");
  out << fmt::format("Ready in {} ms. Stop with Ctrl-C.\n", start_time.count() / 1000);
  out.flush();
}

}  // namespace

Status Serve(const cli::ServerSettings& settings, std::ostream& out) {
  const SystemClock clock;
  const Micros begin = clock.Monotonic();
  SetLogLevel(settings.log_level);
  RaiseOpenFileLimit();
  std::signal(SIGPIPE, SIG_IGN);
  const sigset_t signals = EndSignals();
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);

  ORRERY_ASSIGN(const auto server, Server::Start(settings, clock));
  PrintWelcome(settings, *server, clock.Monotonic() - begin, out);

  int signal = 0;
  sigwait(&signals, &signal);
  // A second one takes its default action: it ends the process.
  pthread_sigmask(SIG_UNBLOCK, &signals, nullptr);
  LogInfo("SIG{}: stopping; requests in flight are finished first", sigabbrev_np(signal));
  server->Stop();
  LogInfo("stopped");
  return {};
}

}  // namespace orrery::server
