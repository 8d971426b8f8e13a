#include "cli/settings/server_settings.h"

#include <arpa/inet.h>
#include <fmt/format.h>

namespace orrery::cli {

std::vector<std::pair<std::string, std::string>> ShownSettings(const ServerSettings& settings) {
  const auto tls = settings.tls.mode == TlsSettings::Mode::kOff ? "off" : "on";
  return {
      {"data", settings.data_directory},
      {"store", settings.store == StoreKind::kRados ? "rados" : "local"},
      {"listen", settings.listen_address},
      {"tls", tls},
      {"auth", EffectiveAuth(settings) == AuthMode::kLocal ? "local" : "required"},
      {"durability", settings.durability == storage::Durability::kOs ? "os" : "durable"},
      {"cache-mb", std::to_string(settings.cache_bytes >> 20)},
      {"memtable-mb", std::to_string(settings.memtable_bytes >> 20)},
      {"io-threads", std::to_string(settings.io_threads)},
      {"cassandra-datacenter", settings.cassandra_cluster.datacenter},
      {"cassandra-cluster-name", settings.cassandra_cluster.cluster_name},
      {"cassandra-java-functions",
       settings.cassandra_cluster.skip_java_functions ? "skip" : "refuse"},
      {"sql-default-throughput",
       std::to_string(settings.sql_default_throughput.request_units_per_second)},
      {"sql-merge", settings.sql_clients_merge ? "client" : "server"},
      {"burst", settings.burst ? "true" : "false"},
      {"limit-logical-partition", std::to_string(settings.limits.logical_partition_bytes_max)},
      {"limit-physical-partition", std::to_string(settings.limits.physical_partition_bytes_max)},
      {"limit-partition-rate", std::to_string(settings.limits.physical_partition_rate_max)},
      {"limit-item", std::to_string(settings.limits.item_bytes_max)},
  };
}

bool IsLoopback(const std::string& address) {
  if (address == "localhost") return true;
  in_addr v4{};
  if (inet_pton(AF_INET, address.c_str(), &v4) == 1) return (ntohl(v4.s_addr) >> 24) == 127;
  in6_addr v6{};
  return inet_pton(AF_INET6, address.c_str(), &v6) == 1 && IN6_IS_ADDR_LOOPBACK(&v6);
}

bool IsOpenToAll(const ServerSettings& settings) {
  return !IsLoopback(settings.listen_address) && settings.allow_insecure &&
         settings.keys.primary == gateway::kWellKnownKey;
}

AuthMode EffectiveAuth(const ServerSettings& settings) {
  return settings.auth.value_or(IsLoopback(settings.listen_address) ? AuthMode::kLocal
                                                                    : AuthMode::kRequired);
}

Status CheckStore(const ServerSettings& settings) {
  if (settings.store == StoreKind::kLocal) return {};
  if (settings.durability == storage::Durability::kOs) {
    return Fail(Code::kInvalidArgument,
                "--durability os is for --store local: in a cluster a write is acknowledged when "
                "its copies are stored; leave it out");
  }
  const bool everywhere = settings.listen_address == "0.0.0.0" || settings.listen_address == "::";
  if (everywhere && settings.advertise.empty()) {
    return Fail(Code::kInvalidArgument,
                "--listen says every address, so other nodes and clients must be told one: give "
                "--advertise ADDRESS");
  }
  return {};
}

Status CheckExposure(const ServerSettings& settings) {
  if (IsLoopback(settings.listen_address)) return {};
  const auto refuse = [&](std::string_view what) {
    return Fail(Code::kForbidden,
                fmt::format("--listen {} can be reached from other machines, but {}",
                            settings.listen_address, what));
  };
  if (settings.auth == AuthMode::kLocal && !IsOpenToAll(settings)) {
    return refuse("--auth=local trusts whoever connects; leave it out or say --auth=required");
  }
  if (settings.allow_insecure) return {};
  if (settings.keys.primary == gateway::kWellKnownKey ||
      settings.keys.secondary == gateway::kWellKnownKey) {
    return refuse(
        "the account key is the one that everybody knows; give your own with --key-file FILE (make "
        "one with: "
        "openssl rand -base64 64 | tr -d '\\n' > FILE), or accept the risk with --allow-insecure");
  }
  if (settings.tls.mode == TlsSettings::Mode::kOff) {
    return refuse(
        "TLS is off, so keys and data would travel in the clear; say --tls auto or --tls CERT,KEY, "
        "or accept the "
        "risk with --allow-insecure");
  }
  return {};
}

}  // namespace orrery::cli
