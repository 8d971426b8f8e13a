#include "api/cassandra/service/cassandra_api.h"
#include "server/start/start_apis.h"
#include "server/start/start_options.h"

namespace orrery::server {
namespace {

cassandra::CacheFacts BlockCacheFacts(const storage::EngineResources& resources) {
  cassandra::CacheFacts facts;
  facts.name = "chunks";
  facts.capacity_bytes = resources.block_cache_capacity();
  facts.used_bytes = resources.block_cache_used();
  return facts;
}

}  // namespace

Status StartCassandra(const cli::ServerSettings& settings, ServerParts& parts) {
  if (!settings.cassandra.native.has_value() && !settings.cassandra.cosmos.has_value()) return {};
  ORRERY_ASSIGN(
      parts.cassandra,
      cassandra::CassandraApi::Start(
          {.address = settings.listen_address,
           .port = settings.cassandra.native,
           .cosmos_port = settings.cassandra.cosmos,
           .trust_local = TrustsLocal(settings),
           .throttle_retry_max = settings.cassandra_retry,
           .datacenter = settings.cassandra_cluster.datacenter,
           .cluster_name = settings.cassandra_cluster.cluster_name,
           .skip_java_functions = settings.cassandra_cluster.skip_java_functions,
           .advertise = settings.advertise,
           .host_id = parts.data->node_id(),
           .settings = cli::ShownSettings(settings)},
          {.rows = parts.core->rows(),
           .accounts = parts.accounts,
           .scripts = *parts.scripts,
           .loops = *parts.loops,
           .tls = parts.tls.get(),
           .clock = parts.clock,
           .metrics = parts.metrics,
           .ring = parts.ring.get(),
           .block_cache = [&resources = *parts.resources] { return BlockCacheFacts(resources); },
           .clients = parts.clients,
           .faults = parts.faults.get()}));
  parts.key_names.Add(parts.cassandra->key_naming());
  parts.runners.Add(parts.cassandra->query_runner());
  return {};
}

}  // namespace orrery::server
