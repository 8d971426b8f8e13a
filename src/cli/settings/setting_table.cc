#include "cli/settings/setting_table.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <ranges>
#include <utility>

#include "base/log.h"
#include "cli/byte_size.h"
#include "cli/settings/settings_file.h"

namespace orrery::cli {
namespace {

constexpr uint64_t kMegabyte = uint64_t{1} << 20;
constexpr size_t kKeyFileBytesMax = 4096;
constexpr uint64_t kIoThreadsMax = 256;
constexpr uint64_t kLoggedMsMax = 3'600'000;
constexpr uint64_t kLoggedUnitsMax = 1'000'000'000;
constexpr uint64_t kCassandraRetrySecondsMax = 60;
constexpr uint64_t kLeaseSecondsMax = 60;
constexpr size_t kClusterNameBytesMax = 64;

using Apply = std::function<Status(ServerSettings&, const std::string&)>;

Result<bool> ParseBool(std::string_view text) {
  if (text == "true" || text == "1" || text == "yes" || text == "on") return true;
  if (text == "false" || text == "0" || text == "no" || text == "off") return false;
  return Fail(Code::kInvalidArgument, fmt::format("'{}' is neither true nor false", text));
}

Result<uint64_t> ParseNumber(std::string_view text, uint64_t min, uint64_t max) {
  uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || number < min || number > max) {
    return Fail(Code::kInvalidArgument,
                fmt::format("'{}' is not a whole number from {} to {}", text, min, max));
  }
  return number;
}

// Takes the value that one of `choices` names.
template <typename T>
Apply Choice(T ServerSettings::* member, std::vector<std::pair<std::string, T>> choices) {
  return [member, choices = std::move(choices)](ServerSettings& settings,
                                                const std::string& text) -> Status {
    std::string names;
    for (const auto& [name, value] : choices) {
      if (text == name) {
        settings.*member = value;
        return {};
      }
      names += (names.empty() ? "" : ", ") + name;
    }
    return Fail(Code::kInvalidArgument, fmt::format("'{}' is none of: {}", text, names));
  };
}

Apply Switch(bool ServerSettings::* member) {
  return [=](ServerSettings& settings, const std::string& text) -> Status {
    ORRERY_ASSIGN(settings.*member, ParseBool(text));
    return {};
  };
}

Apply Text(std::string ServerSettings::* member) {
  return [=](ServerSettings& settings, const std::string& text) -> Status {
    if (text.empty()) return Fail(Code::kInvalidArgument, "must not be empty");
    settings.*member = text;
    return {};
  };
}

// Bare numbers are megabytes.
Apply Megabytes(size_t ServerSettings::* member) {
  return [=](ServerSettings& settings, const std::string& text) -> Status {
    ORRERY_ASSIGN(settings.*member, ParseByteSize(text, kMegabyte));
    if (settings.*member < kMegabyte) return Fail(Code::kInvalidArgument, "must be at least 1 MB");
    return {};
  };
}

// The same; zero is allowed.
Apply MegabytesOrNone(size_t ServerSettings::* member) {
  return [=](ServerSettings& settings, const std::string& text) -> Status {
    ORRERY_ASSIGN(settings.*member, ParseByteSize(text, kMegabyte));
    if (settings.*member > 0 && settings.*member < kMegabyte)
      return Fail(Code::kInvalidArgument, "must be 0 or at least 1 MB");
    return {};
  };
}

// Browsers send an origin without a path, and in lower case.
Status ApplyExplorerOrigin(ServerSettings& settings, const std::string& text) {
  const size_t scheme = text.find("://");
  const bool is_known = text.starts_with("http://") || text.starts_with("https://");
  const bool has_path = text.find_first_of("/?# ", is_known ? scheme + 3 : 0) != std::string::npos;
  if (!is_known || has_path || text.size() == scheme + 3) {
    return Fail(Code::kInvalidArgument,
                fmt::format("'{}' is not an origin: give scheme, host and port alone, as "
                            "https://db.example",
                            text));
  }
  settings.explorer_origin = text;
  return {};
}

Apply Key(std::string gateway::AccountKeys::* member) {
  return [=](ServerSettings& settings, const std::string& text) -> Status {
    settings.keys.*member = text;
    return {};
  };
}

Status ApplyKeyFile(ServerSettings& settings, const std::string& path) {
  ORRERY_ASSIGN(std::string key, ReadSmallFile(path, kKeyFileBytesMax));
  std::erase_if(key, [](unsigned char c) { return std::isspace(c) != 0; });
  if (key.empty())
    return Fail(Code::kInvalidArgument, fmt::format("'{}' is empty; it should hold the key", path));
  settings.keys.primary = std::move(key);
  struct stat file{};
  if (stat(path.c_str(), &file) == 0 && (file.st_mode & (S_IRGRP | S_IROTH)) != 0) {
    LogWarn(
        "the key file '{}' can be read by other users of this machine; make it yours alone: "
        "chmod 600",
        path);
  }
  return {};
}

Status ApplyListen(ServerSettings& settings, const std::string& text) {
  in6_addr ignored{};
  if (text != "localhost" && inet_pton(AF_INET, text.c_str(), &ignored) != 1 &&
      inet_pton(AF_INET6, text.c_str(), &ignored) != 1) {
    return Fail(
        Code::kInvalidArgument,
        fmt::format("'{}' is not an IP address; say 127.0.0.1, ::1, or 0.0.0.0 for every address",
                    text));
  }
  settings.listen_address = text == "localhost" ? "127.0.0.1" : text;
  return {};
}

Status ApplyTls(ServerSettings& settings, const std::string& text) {
  if (text == "auto" || text == "off") {
    settings.tls = {text == "auto" ? TlsSettings::Mode::kAuto : TlsSettings::Mode::kOff, "", ""};
    return {};
  }
  const size_t comma = text.find(',');
  if (comma == 0 || comma == std::string::npos || comma + 1 == text.size()) {
    return Fail(
        Code::kInvalidArgument,
        fmt::format("'{}' is neither auto, off nor CERT,KEY (two PEM files with a comma between)",
                    text));
  }
  settings.tls = {TlsSettings::Mode::kFiles, text.substr(0, comma), text.substr(comma + 1)};
  return {};
}

Status ApplyPort(ServerSettings& settings, const std::string& text) {
  ORRERY_ASSIGN(const uint64_t port, ParseNumber(text, 0, 65535));
  settings.sql_port = static_cast<uint16_t>(port);
  return {};
}

Status ApplyPeerPort(ServerSettings& settings, const std::string& text) {
  ORRERY_ASSIGN(const uint64_t port, ParseNumber(text, 0, 65535));
  settings.peer_port = static_cast<uint16_t>(port);
  return {};
}

Apply RadosText(std::string RadosSettings::* member) {
  return [=](ServerSettings& settings, const std::string& text) -> Status {
    if (text.empty()) return Fail(Code::kInvalidArgument, "must not be empty");
    settings.rados.*member = text;
    return {};
  };
}

Result<std::optional<uint16_t>> ParseOptionalPort(std::string_view text) {
  if (text == "any") return uint16_t{0};
  ORRERY_ASSIGN(const uint64_t port, ParseNumber(text, 0, 65535));
  if (port == 0) return std::nullopt;
  return static_cast<uint16_t>(port);
}

Status ApplySqlDirectPort(ServerSettings& settings, const std::string& text) {
  ORRERY_ASSIGN(settings.sql_direct_port.port, ParseOptionalPort(text));
  settings.sql_direct_port.or_free = false;
  return {};
}

Status ApplyCassandraPorts(ServerSettings& settings, const std::string& text) {
  const size_t comma = text.find(',');
  CassandraPorts ports;
  ORRERY_ASSIGN(ports.native, ParseOptionalPort(std::string_view(text).substr(0, comma)));
  ports.cosmos.reset();
  if (comma != std::string::npos) {
    ORRERY_ASSIGN(ports.cosmos, ParseOptionalPort(std::string_view(text).substr(comma + 1)));
  }
  settings.cassandra = ports;
  return {};
}

Status ApplyTablePorts(ServerSettings& settings, const std::string& text) {
  const size_t comma = text.find(',');
  TablePorts ports{.or_free = false};
  ORRERY_ASSIGN(ports.cosmos, ParseOptionalPort(std::string_view(text).substr(0, comma)));
  ports.storage.reset();
  if (comma != std::string::npos) {
    ORRERY_ASSIGN(ports.storage, ParseOptionalPort(std::string_view(text).substr(comma + 1)));
  }
  settings.table = ports;
  return {};
}

Status ApplyMongoPorts(ServerSettings& settings, const std::string& text) {
  const size_t comma = text.find(',');
  MongoPorts ports{.or_free = false};
  ORRERY_ASSIGN(ports.native, ParseOptionalPort(std::string_view(text).substr(0, comma)));
  ports.cosmos.reset();
  if (comma != std::string::npos) {
    ORRERY_ASSIGN(ports.cosmos, ParseOptionalPort(std::string_view(text).substr(comma + 1)));
  }
  settings.mongo = ports;
  return {};
}

Status ApplyMongoStrict(ServerSettings& settings, const std::string& text) {
  if (text != "cosmos" && text != "off")
    return Fail(Code::kInvalidArgument, "write 'cosmos' or 'off'");
  settings.mongo_strict = text == "cosmos";
  return {};
}

Status ApplyAnnounce(ServerSettings& settings, const std::string& text) {
  if (text != "emulators" && text != "off")
    return Fail(Code::kInvalidArgument, "write 'emulators' or 'off'");
  settings.announces_as_emulators = text == "emulators";
  return {};
}

Status ApplyLargeDocuments(ServerSettings& settings, const std::string& text) {
  ORRERY_ASSIGN(const bool is_on, ParseBool(text));
  if (!is_on) return {};
  constexpr uint64_t kMongoDocumentBytes = uint64_t{16} << 20;
  settings.limits.item_bytes_max = std::max(settings.limits.item_bytes_max, kMongoDocumentBytes);
  settings.limits.batch_bytes_max = std::max(settings.limits.batch_bytes_max, kMongoDocumentBytes);
  return {};
}

Status ApplyGremlinPorts(ServerSettings& settings, const std::string& text) {
  const size_t comma = text.find(',');
  GremlinPorts ports{.or_free = false};
  ORRERY_ASSIGN(ports.native, ParseOptionalPort(std::string_view(text).substr(0, comma)));
  ports.cosmos.reset();
  if (comma != std::string::npos) {
    ORRERY_ASSIGN(ports.cosmos, ParseOptionalPort(std::string_view(text).substr(comma + 1)));
  }
  settings.gremlin = ports;
  return {};
}

// A name that clients compare and that stands in statements and configurations: letters, digits
// and `more`, which may be neither the first nor the last.
Apply ClusterText(std::string CassandraSettings::* member, std::string_view more,
                  std::string_view allowed) {
  return [=](ServerSettings& settings, const std::string& text) -> Status {
    const auto is_plain = [](char c) {
      return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    };
    const bool is_good = !text.empty() && text.size() <= kClusterNameBytesMax &&
                         is_plain(text.front()) && is_plain(text.back()) &&
                         std::ranges::all_of(text, [&](char c) {
                           return is_plain(c) || more.find(c) != std::string_view::npos;
                         });
    if (!is_good) {
      return Fail(
          Code::kInvalidArgument,
          fmt::format("'{}' is not a name of at most {} letters and digits, with {} between "
                      "them",
                      text, kClusterNameBytesMax, allowed));
    }
    settings.cassandra_cluster.*member = text;
    return {};
  };
}

Status ApplyJavaFunctions(ServerSettings& settings, const std::string& text) {
  if (text != "refuse" && text != "skip")
    return Fail(Code::kInvalidArgument, fmt::format("'{}' is none of: refuse, skip", text));
  settings.cassandra_cluster.skip_java_functions = text == "skip";
  return {};
}

Status ApplyLogSlow(ServerSettings& settings, const std::string& text) {
  ORRERY_ASSIGN(const uint64_t ms, ParseNumber(text, 0, kLoggedMsMax));
  settings.request_log.slow = std::chrono::milliseconds(ms);
  return {};
}

Status ApplyLogExpensive(ServerSettings& settings, const std::string& text) {
  ORRERY_ASSIGN(const uint64_t units, ParseNumber(text, 0, kLoggedUnitsMax));
  settings.request_log.expensive = RequestUnits::Whole(static_cast<int64_t>(units));
  return {};
}

Status ApplyCassandraRetry(ServerSettings& settings, const std::string& text) {
  ORRERY_ASSIGN(const uint64_t seconds, ParseNumber(text, 0, kCassandraRetrySecondsMax));
  settings.cassandra_retry = std::chrono::seconds(seconds);
  return {};
}

Status ApplySqlDefaultThroughput(ServerSettings& settings, const std::string& text) {
  const partition::Limits limits;
  ORRERY_ASSIGN(const uint64_t rate,
                ParseNumber(text, 0, static_cast<uint64_t>(limits.physical_partition_rate_max)));
  settings.sql_default_throughput = {};
  if (rate == 0) return {};
  const auto wanted = partition::ThroughputSettings::Manual(static_cast<int64_t>(rate));
  ORRERY_TRY(partition::ValidateThroughput(wanted, limits));
  settings.sql_default_throughput = wanted;
  return {};
}

Status ApplyIoThreads(ServerSettings& settings, const std::string& text) {
  ORRERY_ASSIGN(settings.io_threads, ParseNumber(text, 1, kIoThreadsMax));
  return {};
}

// The documented defaults suit everybody but tests and experiments.
template <typename T>
Setting LimitSetting(std::string name, std::string hint, std::string help,
                     T partition::Limits::* member) {
  Apply apply = [=](ServerSettings& settings, const std::string& text) -> Status {
    ORRERY_ASSIGN(const uint64_t value, ParseByteSize(text));
    if (value == 0 || !std::in_range<T>(value)) {
      return Fail(Code::kInvalidArgument, fmt::format("'{}' is out of range", text));
    }
    settings.limits.*member = static_cast<T>(value);
    return {};
  };
  return {"limit-" + std::move(name), std::move(hint), "Limits", std::move(help), std::move(apply)};
}

std::vector<Setting> LimitSettings() {
  using L = partition::Limits;
  return {
      LimitSetting("logical-partition", "SIZE",
                   "size of all items with one partition key (default 20GB)",
                   &L::logical_partition_bytes_max),
      LimitSetting("fixed-container", "SIZE",
                   "size of a container without a partition key (default 10GB)",
                   &L::fixed_container_bytes_max),
      LimitSetting("physical-partition", "SIZE",
                   "size at which a physical partition splits (default 30GB)",
                   &L::physical_partition_bytes_max),
      LimitSetting("partition-rate", "RU",
                   "RU/s that one physical partition carries (default 10000)",
                   &L::physical_partition_rate_max),
      LimitSetting("rate", "RU", "highest RU/s of a container or database (default 1000000)",
                   &L::rate_max),
      LimitSetting("fixed-rate", "RU",
                   "highest RU/s of a container without a partition key (default 10000)",
                   &L::fixed_rate_max),
      LimitSetting("merged", "SIZE",
                   "neighbours smaller than this together may merge (default 20GB)",
                   &L::merged_bytes_max),
      LimitSetting("item", "SIZE", "size of one item (default 2MB)", &L::item_bytes_max),
      LimitSetting("batch", "SIZE", "size of one atomic batch (default 2MB)", &L::batch_bytes_max),
      LimitSetting("response", "SIZE", "size of one page of a scan or feed (default 4MB)",
                   &L::response_bytes_max),
  };
}

}  // namespace

std::vector<Setting> MakeSettingTable() {
  using AuthChoice = std::pair<std::string, std::optional<AuthMode>>;
  std::vector<Setting> table = {
      {"data", "DIR", "Data",
       "data directory; created when missing (default ./orrery-data); memory: throw-away data, "
       "gone "
       "when the server stops",
       Text(&ServerSettings::data_directory)},
      {"durability", "MODE", "Data",
       "durable: a write is acknowledged when it is on disk; os: when the operating system has it "
       "(default durable)",
       Choice(&ServerSettings::durability,
              {{"durable", storage::Durability::kDurable}, {"os", storage::Durability::kOs}})},

      {"accept-lost-writes", "", "Data",
       "start although logs of acknowledged writes are missing, cut or damaged, without these "
       "writes",
       Switch(&ServerSettings::accept_lost_writes)},

      {"store", "local|rados", "Cluster",
       "local: on this machine's disk; rados: in a pool of a Ceph cluster, as one of its nodes; "
       "see "
       "docs/operations/cluster.md (default local)",
       Choice(&ServerSettings::store,
              {{"local", StoreKind::kLocal}, {"rados", StoreKind::kRados}})},
      {"rados-conf", "FILE", "Cluster", "Ceph's configuration (default /etc/ceph/ceph.conf)",
       RadosText(&RadosSettings::conf)},
      {"rados-pool", "NAME", "Cluster", "the pool; four copies, three to serve (default orrery)",
       RadosText(&RadosSettings::pool)},
      {"rados-user", "NAME", "Cluster", "cephx user without 'client.' (default orrery)",
       RadosText(&RadosSettings::user)},
      {"rados-namespace", "NAME", "Cluster",
       "part of the pool; one for each Orrery cluster (default: the nameless one)",
       RadosText(&RadosSettings::name_space)},
      {"rados-fewer-copies", "", "Cluster",
       "accept a pool that keeps fewer than four copies or serves with fewer than three, although "
       "acknowledged writes can be lost with fewer disks",
       [](ServerSettings& settings, const std::string& text) -> Status {
         ORRERY_ASSIGN(settings.rados.fewer_copies, ParseBool(text));
         return {};
       }},
      {"rados-lease", "SECONDS", "Cluster",
       "how long a node may be silent before others take its partitions over, 1 to 60 (default 5)",
       [](ServerSettings& settings, const std::string& text) -> Status {
         ORRERY_ASSIGN(const uint64_t seconds, ParseNumber(text, 1, kLeaseSecondsMax));
         settings.rados.lease = std::chrono::seconds(seconds);
         return {};
       }},
      {"peer-port", "PORT", "Cluster",
       "port for connections of other nodes; 0 takes a free one (default 7077)", ApplyPeerPort},
      {"advertise", "ADDRESS", "Cluster",
       "address announced to other nodes and clients (default: that of --listen)",
       Text(&ServerSettings::advertise)},

      {"listen", "ADDRESS", "Network",
       "IP address to listen on; one that others can reach needs a key of your own and TLS "
       "(default 127.0.0.1)",
       ApplyListen},
      {"sql-port", "PORT", "Network",
       "HTTP and HTTPS port; 0 takes a free one and prints it (default 8081)", ApplyPort},
      {"sql-direct-port", "PORT", "Network",
       "port of Direct mode, the default of the SQL API's clients for Java and .NET; 0 is off, any "
       "takes a free one and prints it (default 10251, or a free one if that is taken)",
       ApplySqlDirectPort},
      {"cassandra-port", "PORT[,PORT]", "Network",
       "CQL ports: Cassandra's, and one more that always requires credentials; 0 is off, any "
       "takes a free one and prints it (default 9042,10350)",
       ApplyCassandraPorts},
      {"table-port", "PORT[,PORT]", "Network",
       "ports of the Table API: as Cosmos DB has it, and as Azure Storage and Azurite have it; 0 "
       "is "
       "off, any takes a free one and prints it (default 8902,10002, or free ones if taken)",
       ApplyTablePorts},
      {"cassandra-datacenter", "NAME", "Network",
       "data center name announced to CQL clients; the same on all nodes (default datacenter1)",
       ClusterText(&CassandraSettings::datacenter, "._-", "dots, dashes and underscores")},
      {"cassandra-cluster-name", "NAME", "Network",
       "cluster name announced to CQL clients; the same on all nodes (default Orrery)",
       ClusterText(&CassandraSettings::cluster_name, "._- ",
                   "spaces, dots, dashes and underscores")},
      {"cassandra-java-functions", "refuse|skip", "Network",
       "CREATE FUNCTION .. LANGUAGE java: refuse it, or skip: keep it in the schema although it "
       "cannot be called (default refuse)",
       ApplyJavaFunctions},
      {"mongo-port", "PORT[,PORT]", "Network",
       "MongoDB ports: MongoDB's, and one more that asks everybody for credentials; 0 is off, any "
       "takes a free one and prints it (default 27017,10255, or free ones where these are taken)",
       ApplyMongoPorts},
      {"mongo-strict", "cosmos|off", "Network",
       "cosmos: refuse over MongoDB's protocol what Azure Cosmos DB for MongoDB refuses, for those "
       "who test against it (default off)",
       ApplyMongoStrict},
      {"mongo-16mb", "", "Network",
       "store documents of up to 16 MB, as MongoDB does; the same as --limit-item 16MB and "
       "--limit-batch 16MB",
       ApplyLargeDocuments},
      {"gremlin-port", "PORT[,PORT]", "Network",
       "Gremlin ports: TinkerPop's, and one more that asks everybody for credentials; 0 is off, "
       "any "
       "takes a free one and prints it (default 8182,8901, or free ones where these are taken)",
       ApplyGremlinPorts},
      {"health-port", "PORT", "Network",
       "port of /alive and /ready alone, as Cosmos DB's emulator has it on 8080; 0 is off, any "
       "takes "
       "a free one and prints it (default 0)",
       [](ServerSettings& settings, const std::string& text) -> Status {
         ORRERY_ASSIGN(settings.health_port, ParseOptionalPort(text));
         return {};
       }},
      {"announce", "emulators|off", "Network",
       "emulators: print the lines by which the images of Cosmos DB's emulator, Cassandra, MongoDB "
       "and Azurite say that they are ready, for test libraries that wait for them (default off)",
       ApplyAnnounce},
      {"ready-file", "FILE", "Network",
       "file to write when all ports answer: JSON with ports, connection strings, key and pid; "
       "removed when the server stops",
       Text(&ServerSettings::ready_file)},
      {"allow-reset", "", "Data",
       "for tests: allow `orrery reset`, `snapshot` and `clock`, which replace all data and "
       "advance "
       "the time",
       Switch(&ServerSettings::allow_reset)},
      {"allow-faults", "", "Data",
       "for tests: allow `orrery fault`, which has requests of clients fail, wait or lose their "
       "connection on demand",
       Switch(&ServerSettings::allow_faults)},
      {"seed", "DIR", "Data",
       "directory of databases and data to load before the server is ready, once: *.cql, *.json, "
       "*.csv, *.gremlin, dumps, containers.yaml; see docs/operations/seed.md",
       Text(&ServerSettings::seed_directory)},
      {"seed-continue", "", "Data",
       "load what can be loaded of --seed, and start; errors are told. Without it, one error stops "
       "the start and nothing is loaded",
       Switch(&ServerSettings::seed_continues)},
      {"tls", "auto|off|CERT,KEY", "Network",
       "auto: a self-signed certificate kept in the data directory; or PEM files (default auto)",
       ApplyTls},
      {"allow-insecure", "", "Network",
       "accept connections of other machines although the key is the well-known one or TLS is off",
       Switch(&ServerSettings::allow_insecure)},

      {"allowed-hosts", "NAME,..", "Access control",
       "names that HTTP clients may call the server by, besides localhost, IP addresses and names "
       "without a dot; * for any. Holds while the key is the well-known one or --auth is local, "
       "against web pages that lead their own name here",
       [](ServerSettings& settings, const std::string& text) -> Status {
         for (const auto name : std::views::split(text, ','))
           settings.allowed_hosts.emplace_back(name.begin(), name.end());
         return {};
       }},
      {"explorer", "on|off", "Access control",
       "the web page at /_explorer/ on the SQL port (default on)",
       Choice(&ServerSettings::explorer, {{"on", true}, {"off", false}})},
      {"explorer-origin", "URL", "Access control",
       "what browsers see of this server behind a reverse proxy, for example https://db.example",
       ApplyExplorerOrigin},
      {"auth", "local|required", "Access control",
       "local: /metrics is open on this machine, and CQL clients log in without credentials or as "
       "cassandra/cassandra; required: everything but /_health needs a key (default local on "
       "loopback)",
       Choice(&ServerSettings::auth, std::vector<AuthChoice>{{"local", AuthMode::kLocal},
                                                             {"required", AuthMode::kRequired}})},
      {"account", "NAME", "Access control", "account name (default localhost)",
       [](ServerSettings& settings, const std::string& text) -> Status {
         if (text.empty()) return Fail(Code::kInvalidArgument, "must not be empty");
         settings.keys.account = text;
         return {};
       }},
      {"key", "KEY", "Access control",
       "account key, base64 (default: the emulators' well-known key)",
       Key(&gateway::AccountKeys::primary)},
      {"key-file", "FILE", "Access control",
       "file that holds the account key; keeps it out of process lists", ApplyKeyFile},
      {"secondary-key", "KEY", "Access control",
       "second read-write key, for changing keys without a pause",
       Key(&gateway::AccountKeys::secondary)},
      {"read-only-key", "KEY", "Access control", "key that may only read",
       Key(&gateway::AccountKeys::primary_read_only)},

      {"cache-mb", "SIZE", "Resources",
       "memory for cached table blocks, all partitions together (default 256)",
       Megabytes(&ServerSettings::cache_bytes)},
      {"memtable-mb", "SIZE", "Resources",
       "memory for unflushed writes, all partitions together (default 256)",
       Megabytes(&ServerSettings::memtable_bytes)},
      {"history-mb", "SIZE", "Resources",
       "memory for the past of partitions, as the explorer shows it; 0: none is kept (default 32)",
       MegabytesOrNone(&ServerSettings::history_bytes)},
      {"ballast-mb", "SIZE", "Resources",
       "disk space that is kept back and given up when the server starts on a full disk, so that "
       "data can be deleted; 0: none is kept (default 64)",
       MegabytesOrNone(&ServerSettings::ballast_bytes)},
      {"io-threads", "N", "Resources", "threads for reads that need the disk (default 4)",
       ApplyIoThreads},
      {"log-level", "LEVEL", "Resources", "debug, info, warn, error or off (default info)",
       Choice(&ServerSettings::log_level, {{"debug", LogLevel::kDebug},
                                           {"info", LogLevel::kInfo},
                                           {"warn", LogLevel::kWarn},
                                           {"error", LogLevel::kError},
                                           {"off", LogLevel::kOff}})},
      {"log-format", "text|json", "Resources",
       "text, or one JSON object a line with time, level and message (default text)",
       Choice(&ServerSettings::log_format,
              {{"text", LogFormat::kText}, {"json", LogFormat::kJson}})},
      {"statements", "on|off", "Resources",
       "count requests by their normalised statements, for GET statements (default on)",
       Choice(&ServerSettings::statements, {{"on", true}, {"off", false}})},
      {"log-slow", "MS", "Resources",
       "log requests that take at least so many milliseconds (default 0: none)", ApplyLogSlow},
      {"log-expensive", "RU", "Resources",
       "log requests that are charged at least so many RU (default 0: none)", ApplyLogExpensive},

      {"cassandra-retry", "SECONDS", "Throughput",
       "retry throttled CQL requests for this long before they are refused, at most 60 "
       "(default 0)",
       ApplyCassandraRetry},
      {"sql-default-throughput", "RU/S", "Throughput",
       "throughput of containers that SQL clients create without any (default 400; 0: not metered)",
       ApplySqlDefaultThroughput},
      {"sql-merge", "WHO", "Throughput",
       "who merges the rows of SQL queries over several partitions: server, or client as on Azure "
       "(default server)",
       Choice(&ServerSettings::sql_clients_merge, {{"server", false}, {"client", true}})},
      {"burst", "", "Throughput", "burst capacity: idle partitions save up RU",
       Switch(&ServerSettings::burst)},
  };
  for (Setting& limit : LimitSettings()) table.push_back(std::move(limit));
  return table;
}

std::string VariableName(std::string_view setting) {
  std::string name = "ORRERY_";
  for (const char c : setting) {
    name.push_back(c == '-' ? '_' : static_cast<char>(std::toupper(static_cast<unsigned char>(c))));
  }
  return name;
}

}  // namespace orrery::cli
