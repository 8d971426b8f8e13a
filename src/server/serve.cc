#include "server/serve.h"

#include <fmt/format.h>
#include <pthread.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <condition_variable>
#include <csignal>
#include <cstdlib>
#include <mutex>
#include <ostream>
#include <stop_token>
#include <string>
#include <thread>

#include "base/clock.h"
#include "base/log.h"
#include "cli/verb/version.h"
#include "net/http/url.h"
#include "server/server.h"

namespace orrery::server {
namespace {

// From the signal to the end of the process, whatever runs.
constexpr std::chrono::milliseconds kStopTimeMax{9'500};

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
  if (server.sql_direct_port() != 0) {
    out << fmt::format("  direct     {}   (clients for Java and .NET find it by themselves)\n",
                       net::FormatHostPort({host, server.sql_direct_port()}));
  }
  if (settings.sql_default_throughput.kind != partition::ThroughputKind::kNone) {
    out << fmt::format(
        "  metering   {} RU/s for SQL containers made without any   (--sql-default-throughput 0: "
        "no "
        "limit)\n",
        settings.sql_default_throughput.request_units_per_second);
  }
  if (server.cassandra_port() != 0) {
    out << fmt::format("  cassandra  {}   (cqlsh {} {}{})\n",
                       net::FormatHostPort({host, server.cassandra_port()}), host,
                       server.cassandra_port(),
                       cli::EffectiveAuth(settings) == cli::AuthMode::kLocal
                           ? ""
                           : fmt::format(" -u {} -p <key>", settings.keys.account));
  }
  const bool has_cassandra = server.cassandra_port() != 0 || server.cassandra_cosmos_port() != 0;
  if (server.cassandra_cosmos_port() != 0) {
    out << fmt::format("             {}   (with credentials: user {}, the key as password)\n",
                       net::FormatHostPort({host, server.cassandra_cosmos_port()}),
                       settings.keys.account);
  }
  if (has_cassandra) {
    out << fmt::format("             data center {}, cluster {}\n",
                       settings.cassandra_cluster.datacenter,
                       settings.cassandra_cluster.cluster_name);
  }
  const std::string_view scheme = only_tls ? "https" : "http";
  const std::string shown_key =
      well_known ? std::string(gateway::kWellKnownKey) : std::string("<your key>");
  if (server.table_port() != 0) {
    out << fmt::format(
        "  table      "
        "DefaultEndpointsProtocol={};AccountName={};AccountKey={};TableEndpoint={}://{}/;\n",
        scheme, settings.keys.account, shown_key, scheme,
        net::FormatHostPort({host, server.table_port()}));
  }
  if (server.table_storage_port() != 0) {
    const bool emulates = cli::IsLoopback(settings.listen_address);
    out << fmt::format("             {}   (as Azure Storage{})\n",
                       net::FormatHostPort({host, server.table_storage_port()}),
                       emulates ? ", also as devstoreaccount1 with Azurite's key" : "");
  }
  if (server.mongo_port() != 0) {
    const bool trusts = cli::EffectiveAuth(settings) == cli::AuthMode::kLocal;
    out << fmt::format("  mongodb    mongodb://{}{}/?replicaSet=globaldb\n",
                       trusts ? std::string() : settings.keys.account + ":<key>@",
                       net::FormatHostPort({host, server.mongo_port()}));
  }
  if (server.mongo_cosmos_port() != 0) {
    out << fmt::format("             {}   (with credentials: user {}, the key as password)\n",
                       net::FormatHostPort({host, server.mongo_cosmos_port()}),
                       settings.keys.account);
  }
  if (server.gremlin_port() != 0) {
    out << fmt::format(
        "  gremlin    {}://{}/gremlin{}\n", only_tls ? "wss" : "ws",
        net::FormatHostPort({host, server.gremlin_port()}),
        cli::EffectiveAuth(settings) == cli::AuthMode::kLocal
            ? "   (traversal source g)"
            : fmt::format("   (user {}, the key as password)", settings.keys.account));
  }
  if (server.gremlin_cosmos_port() != 0) {
    out << fmt::format(
        "             {}   (with credentials: user /dbs/<database>/colls/<graph>, the key as "
        "password)\n",
        net::FormatHostPort({host, server.gremlin_cosmos_port()}));
  }
  out << fmt::format("  admin      {}/_admin/v1/status   (or: orrery status)\n", url);
  out << fmt::format("  metrics    {}/metrics\n", url);
  out << fmt::format("  data       {}   ({})\n", server.data_directory(),
                     settings.durability == storage::Durability::kOs
                         ? "durability os: a power cut may lose writes"
                         : "durable; --durability os is what Cassandra and the emulators do");
  out << fmt::format("Ready in {} ms. Stop with Ctrl-C.\n", start_time.count() / 1000);
  out.flush();
}

// Ends the process when stopping takes too long, because a script or a query does not listen. What
// was acknowledged is in the logs by then, as it is when the process is killed.
void EndLate(const std::stop_token& stopped) {
  std::mutex mutex;
  std::condition_variable_any wakeup;
  std::unique_lock lock(mutex);
  wakeup.wait_for(lock, stopped, kStopTimeMax, [] { return false; });
  if (stopped.stop_requested()) return;
  LogError("some work has not ended within {} ms: the process ends without it",
           kStopTimeMax.count());
  _exit(EXIT_SUCCESS);
}

}  // namespace

Status Serve(const cli::ServerSettings& settings, std::ostream& out) {
  const SystemClock clock;
  const Micros begin = clock.Monotonic();
  SetLogLevel(settings.log_level);
  RaiseOpenFileLimit();
  // The store's files are readable by their owner alone, wherever they are.
  umask(S_IRWXG | S_IRWXO);
  std::signal(SIGPIPE, SIG_IGN);
  const sigset_t signals = EndSignals();
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);

  std::jthread guard;  // until the server is destroyed
  ORRERY_ASSIGN(const auto server, Server::Start(settings, clock));
  PrintWelcome(settings, *server, clock.Monotonic() - begin, out);

  int signal = 0;
  sigwait(&signals, &signal);
  // A second one takes its default action: it ends the process.
  pthread_sigmask(SIG_UNBLOCK, &signals, nullptr);
  LogInfo("SIG{}: stopping; requests in flight are finished first", sigabbrev_np(signal));
  guard = std::jthread(EndLate);
  server->Stop();
  LogInfo("stopped");
  return {};
}

}  // namespace orrery::server
