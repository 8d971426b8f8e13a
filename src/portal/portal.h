// The portal answers what is asked over HTTP about the server itself: is it well (/_health), what
// does it count (/metrics), and the admin interface (/_admin/v1/...), which docs/admin-interface.md
// describes call by call.
//
// It lets callers in (explorer/door.h) and finds the route; the handlers, one file per family of
// resources, do the rest through the gateway. The explorer, a page for browsers, is served beside
// them.
//
// Thread-safe. Must outlive the HTTP server that calls it.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "base/clock.h"
#include "base/metrics.h"
#include "gateway/fault/fault_plan.h"
#include "gateway/gateway.h"
#include "gateway/history/partition_monitor.h"
#include "gateway/move/move_keeper.h"
#include "gateway/row/row_gateway.h"
#include "gateway/view/inspection.h"
#include "gateway/view/key_naming.h"
#include "net/http/http_message.h"
#include "net/http/http_responder.h"
#include "portal/explorer/door.h"
#include "portal/explorer/explorer_assets.h"
#include "portal/handler/connect_handler.h"
#include "portal/handler/query_handler.h"
#include "portal/handler/state_control.h"
#include "portal/job/job_registry.h"
#include "portal/router.h"
#include "query/runner/query_runners.h"

namespace orrery::portal {

struct PortalOptions {
  DoorOptions door;
  bool explorer = true;              // false: nothing is below /_explorer/ but the certificate
  uint64_t partition_bytes_max = 0;  // at which a physical partition splits, for display
  StateControl* states = nullptr;    // null: tests may not change all data and the time
  gateway::FaultPlan* faults = nullptr;  // null: there are no faults on demand
  std::string certificate_pem = {};  // for clients that want to trust this server; empty: no TLS
};

class Portal {
 public:
  // All must outlive the portal.
  struct Parts {
    gateway::Gateway& gateway;
    gateway::RowGateway& rows;
    gateway::Inspection& inspection;
    gateway::PartitionMonitor& monitor;
    gateway::MoveKeeper& moves;
    const gateway::KeyNamings& names;
    const query::QueryRunners& runners;
    MetricsRegistry& metrics;
    const Clock& clock;
    std::function<uint64_t()> random;
    ExplorerAssets assets;
    ConnectSource connect;
  };
  Portal(PortalOptions options, const Parts& parts);

  // Answers one request. Never blocks: for an event loop.
  void Handle(net::HttpRequest request, net::HttpResponder responder);

  // Returns the answer to a request that is refused whatever its body says.
  std::optional<net::HttpResponse> Refusal(const net::HttpRequest& head) const;

  // Until then /_health says 503: not all ports answer yet.
  void StartServing() { starting_.store(false); }
  // From now on /_health says 503, so that load balancers look elsewhere; queries of the explorer
  // are cancelled.
  void StartDraining() {
    draining_.store(true);
    running_queries_.CancelAll();
    jobs_.CancelAll();
  }
  // Ends the threads that queries run on. While the APIs still run. Idempotent.
  void Stop() {
    query_pool_.Stop();
    job_pool_.Stop();
  }

 private:
  void Dispatch(net::HttpRequest request, net::HttpResponder responder);

  const PortalOptions options_;
  Door door_;
  RunningQueries running_queries_;
  ThreadPool query_pool_;
  ThreadPool job_pool_;
  JobRegistry jobs_;
  Router router_;
  std::atomic<bool> starting_{true};
  std::atomic<bool> draining_{false};
};

}  // namespace orrery::portal
