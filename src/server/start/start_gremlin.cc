#include "api/gremlin/server/gremlin_api.h"
#include "server/random_bits.h"
#include "server/start/start_apis.h"
#include "server/start/start_options.h"

namespace orrery::server {

Status StartGremlin(const cli::ServerSettings& settings, ServerParts& parts) {
  if (!settings.gremlin.native.has_value() && !settings.gremlin.cosmos.has_value()) return {};
  ORRERY_ASSIGN(parts.gremlin, gremlin::GremlinApi::Start({.address = settings.listen_address,
                                                           .port = settings.gremlin.native,
                                                           .cosmos_port = settings.gremlin.cosmos,
                                                           .or_free = settings.gremlin.or_free,
                                                           .trust_local = TrustsLocal(settings),
                                                           .require_tls = RequiresTls(settings),
                                                           .host_rule = HostRuleOf(settings)},
                                                          {.gateway = parts.core->gateway(),
                                                           .accounts = parts.accounts,
                                                           .loops = *parts.loops,
                                                           .tls = parts.tls.get(),
                                                           .clock = parts.clock,
                                                           .metrics = parts.metrics,
                                                           .random = RandomBits,
                                                           .clients = parts.clients,
                                                           .faults = parts.faults.get()}));
  parts.runners.Add(parts.gremlin->query_runner());
  return {};
}

}  // namespace orrery::server
