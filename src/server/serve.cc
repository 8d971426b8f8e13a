#include "server/serve.h"

#include <fmt/format.h>
#include <pthread.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <cstring>
#include <ostream>
#include <string>
#include <thread>

#include "base/clock.h"
#include "base/log.h"
#include "cli/verb/version.h"
#include "net/http/url.h"
#include "portal/explorer/explorer_assets.h"
#include "server/endpoints.h"
#include "server/foreign_ready_lines.h"
#include "server/server.h"
#include "server/server_process.h"
#include "server/service_manager.h"

namespace orrery::server {
namespace {

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
    const bool emulates = cli::IsLoopback(settings.listen_address) || cli::IsOpenToAll(settings);
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
  if (settings.explorer && !portal::EmbeddedExplorer().empty())
    out << fmt::format("  explorer   {}/_explorer/\n", url);
  out << fmt::format("  admin      {}/_admin/v1/status   (or: orrery status)\n", url);
  out << fmt::format("  metrics    {}/metrics\n", url);
  if (server.health_port() != 0) {
    out << fmt::format("  health     http://{}/ready\n",
                       net::FormatHostPort({host, server.health_port()}));
  }
  if (cli::IsOpenToAll(settings)) {
    out << "  WARNING    everybody who reaches these ports has all rights: the key is the "
           "well-known "
           "one.\n"
           "             For tests on a closed network. For your own key: --key-file, without "
           "--allow-insecure\n";
  }
  out << fmt::format("  data       {}   ({})\n", server.data_directory(),
                     settings.data_directory == cli::kMemoryData
                         ? "throw-away: gone when the server stops"
                     : settings.durability == storage::Durability::kOs
                         ? "durability os: a power cut may lose writes"
                         : "durable; --durability os is what Cassandra and the emulators do");
  out << fmt::format("Ready in {} ms. Stop with Ctrl-C.\n", start_time.count() / 1000);
  out.flush();
}

}  // namespace

Status Serve(const cli::ServerSettings& settings, std::ostream& out) {
  const SystemClock clock;
  const Micros begin = clock.Monotonic();
  const PreparedProcess process = PrepareProcess(settings);

  std::jthread guard;  // until the server is destroyed
  ORRERY_ASSIGN(const auto server, Server::Start(settings, clock));
  if (!settings.ready_file.empty())
    ORRERY_TRY(WriteReadyFile(settings.ready_file, EndpointsOf(settings, *server)));
  PrintWelcome(settings, *server, clock.Monotonic() - begin, out);
  if (settings.announces_as_emulators)
    out << ForeignReadyLines(EndpointsOf(settings, *server)) << std::flush;
  NotifyManager("READY=1");

  int signal = 0;
  sigwait(&process.end_signals, &signal);
  // A second one takes its default action: it ends the process.
  pthread_sigmask(SIG_UNBLOCK, &process.end_signals, nullptr);
  LogInfo("SIG{}: stopping; requests in flight are finished first", sigabbrev_np(signal));
  guard = GuardStop(EXIT_SUCCESS);
  NotifyManager("STOPPING=1");
  if (!settings.ready_file.empty()) unlink(settings.ready_file.c_str());
  server->Stop();
  if (server->has_lost_scripts()) EndWithoutScripts(EXIT_SUCCESS);
  LogInfo("stopped");
  return {};
}

}  // namespace orrery::server
