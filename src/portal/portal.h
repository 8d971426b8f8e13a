// The portal answers what is asked over HTTP about the server itself: is it well (/_health), what
// does it count (/metrics), and the admin interface (/_admin/v1/...), which docs/admin-interface.md
// describes call by call.
//
// It checks keys and finds the route; the handlers, one file per family of
// resources, do the rest through the gateway.
//
// Thread-safe. Must outlive the HTTP server that calls it.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>

#include "base/metrics.h"
#include "gateway/gateway.h"
#include "gateway/row/row_gateway.h"
#include "gateway/view/inspection.h"
#include "net/http/http_message.h"
#include "net/http/http_responder.h"
#include "portal/handler/state_control.h"
#include "portal/router.h"

namespace orrery::portal {

struct PortalOptions {
  bool trust_local = true;  // routes that are Guard::kOpenLocal need no key
  bool require_tls =
      false;  // requests that came in the clear are refused, except for / and /_health
  uint64_t partition_bytes_max = 0;  // at which a physical partition splits, for display
  StateControl* states = nullptr;    // null: tests may not change all data and the time
  std::string certificate_pem = {};  // for clients that want to trust this server; empty: no TLS
};

class Portal {
 public:
  // All must outlive the portal.
  Portal(PortalOptions options, gateway::Gateway& gateway, gateway::RowGateway& rows,
         gateway::Inspection& inspection, MetricsRegistry& metrics);

  // Answers one request. Never blocks: for an event loop.
  void Handle(net::HttpRequest request, net::HttpResponder responder);

  // From now on /_health says 503, so that load balancers look elsewhere.
  void StartDraining() { draining_.store(true); }

 private:
  // Checks that the request may use the route.
  Status Admit(const net::HttpRequest& request, Guard guard) const;

  const PortalOptions options_;
  gateway::Gateway& gateway_;
  Router router_;
  std::atomic<bool> draining_{false};
};

}  // namespace orrery::portal
