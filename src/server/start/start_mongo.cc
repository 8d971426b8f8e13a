#include "api/mongo/server/mongo_api.h"
#include "cli/verb/version.h"
#include "server/start/start_apis.h"
#include "server/start/start_options.h"

namespace orrery::server {

Status StartMongo(const cli::ServerSettings& settings, ServerParts& parts) {
  if (!settings.mongo.native.has_value() && !settings.mongo.cosmos.has_value()) return {};
  ORRERY_ASSIGN(parts.mongo,
                mongo::MongoApi::Start({.address = settings.listen_address,
                                        .port = settings.mongo.native,
                                        .cosmos_port = settings.mongo.cosmos,
                                        .or_free = settings.mongo.or_free,
                                        .trust_local = TrustsLocal(settings),
                                        .require_tls = RequiresTls(settings),
                                        .advertise = settings.advertise,
                                        .keys = settings.keys,
                                        .version = std::string(cli::Version()),
                                        .strict_cosmos = settings.mongo_strict,
                                        .spill_directory = parts.data->path() + "/spill"},
                                       {.gateway = parts.core->gateway(),
                                        .loops = *parts.loops,
                                        .tls = parts.tls.get(),
                                        .clock = parts.clock,
                                        .metrics = parts.metrics,
                                        .scripts = parts.scripts.get(),
                                        .clients = parts.clients,
                                        .faults = parts.faults.get()}));
  parts.runners.Add(parts.mongo->query_runner());
  return {};
}

}  // namespace orrery::server
