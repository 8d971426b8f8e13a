#include "portal/portal.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string_view>
#include <utility>

#include "portal/answer.h"
#include "portal/handler/archive_handler.h"
#include "portal/handler/catalog_handler.h"
#include "portal/handler/feed_handler.h"
#include "portal/handler/item_handler.h"
#include "portal/handler/partition_handler.h"
#include "portal/handler/scan_handler.h"
#include "portal/handler/state_handler.h"
#include "portal/handler/status_handler.h"

namespace orrery::portal {
namespace {

constexpr std::string_view kBearer = "Bearer ";

net::HttpResponse NoRoute(const net::HttpRequest& request, const Router::Match& match) {
  if (match.allowed.empty()) {
    return net::HttpResponse::JsonError(
        404, CodeName(Code::kNotFound),
        fmt::format("there is nothing at {}; the admin interface is under /_admin/v1/",
                    request.path));
  }
  net::HttpResponse response = net::HttpResponse::JsonError(
      405, "method_not_allowed",
      fmt::format("{} takes {}", request.path, fmt::join(match.allowed, ", ")));
  response.headers.Add("Allow", fmt::format("{}", fmt::join(match.allowed, ", ")));
  return response;
}

}  // namespace

Portal::Portal(PortalOptions options, gateway::Gateway& gateway, gateway::RowGateway& rows,
               gateway::Inspection& inspection, MetricsRegistry& metrics)
    : options_(std::move(options)), gateway_(gateway) {
  AddStatusRoutes(router_, {.inspection = inspection,
                            .metrics = metrics,
                            .pool = gateway.io_pool(),
                            .account = gateway.accounts().name(),
                            .certificate_pem = options_.certificate_pem,
                            .draining = [this] { return draining_.load(); }});
  AddCatalogRoutes(router_, gateway_);
  AddPartitionRoutes(router_, inspection, gateway_.io_pool(), options_.partition_bytes_max);
  AddItemRoutes(router_, gateway_);
  AddScanRoutes(router_, gateway_);
  AddFeedRoutes(router_, gateway_);
  AddArchiveRoutes(router_, gateway_, rows);
  AddStateRoutes(router_, options_.states, gateway_.io_pool());
}

void Portal::Handle(net::HttpRequest request, net::HttpResponder responder) {
  Router::Match match = router_.Find(request);
  if (match.route == nullptr) {
    responder.Send(NoRoute(request, match));
    return;
  }
  if (Status admitted = Admit(request, match.route->guard); !admitted.has_value()) {
    Answer(responder, Fail(std::move(admitted).error()));
    return;
  }
  match.route->handler({{std::move(request), std::move(responder)}, std::move(match.parameters)});
}

Status Portal::Admit(const net::HttpRequest& request, Guard guard) const {
  if (guard == Guard::kOpen) return {};
  if (options_.require_tls && !request.tls) {
    return Fail(Code::kForbidden, "this server takes keys over TLS only; use https://");
  }
  if (guard == Guard::kOpenLocal && options_.trust_local) return {};
  const auto header = request.headers.Find("authorization");
  if (!header || !header->starts_with(kBearer)) {
    return Fail(Code::kUnauthorized,
                "a key is needed: send the header 'Authorization: Bearer <account key>'");
  }
  ORRERY_ASSIGN(const gateway::Access access,
                gateway_.accounts().CheckKey(header->substr(kBearer.size())));
  if (guard == Guard::kWrite && access == gateway::Access::kReadOnly) {
    return Fail(Code::kForbidden, "this key may only read; use a read-write key");
  }
  return {};
}

}  // namespace orrery::portal
