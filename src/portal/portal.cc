#include "portal/portal.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string_view>
#include <utility>

#include "portal/answer.h"
#include "portal/explorer/explorer_handler.h"
#include "portal/explorer/security_headers.h"
#include "portal/handler/archive_handler.h"
#include "portal/handler/catalog_handler.h"
#include "portal/handler/fault_handler.h"
#include "portal/handler/feed_handler.h"
#include "portal/handler/item_handler.h"
#include "portal/handler/job_handler.h"
#include "portal/handler/map_handler.h"
#include "portal/handler/move_handler.h"
#include "portal/handler/partition_handler.h"
#include "portal/handler/scan_handler.h"
#include "portal/handler/state_handler.h"
#include "portal/handler/statement_handler.h"
#include "portal/handler/status_handler.h"

namespace orrery::portal {
namespace {

constexpr size_t kQueryThreads = 4;
constexpr size_t kQueryQueueMax = 64;
constexpr size_t kJobThreads = 2;

net::HttpResponse NoRoute(const net::HttpRequest& request, const Router::Match& match) {
  // No page of another origin is ever let in, so there is nothing to ask about beforehand.
  if (match.allowed.empty() && request.method != "OPTIONS") {
    return net::HttpResponse::JsonError(
        404, CodeName(Code::kNotFound),
        fmt::format("there is nothing at {}; the admin interface is under /_admin/v1/",
                    request.path));
  }
  net::HttpResponse response = net::HttpResponse::JsonError(
      405, "method_not_allowed",
      match.allowed.empty()
          ? fmt::format("{} is not a method of this server", request.method)
          : fmt::format("{} takes {}", request.path, fmt::join(match.allowed, ", ")));
  response.headers.Add("Allow", fmt::format("{}", fmt::join(match.allowed, ", ")));
  return response;
}

}  // namespace

Portal::Portal(PortalOptions options, const Parts& parts)
    : options_(std::move(options)),
      door_(options_.door, parts.gateway.accounts(), parts.clock, parts.random),
      query_pool_("query", kQueryThreads, kQueryQueueMax),
      job_pool_("job", kJobThreads, JobRegistry::kRunningMax, ThreadPriority::kLow),
      jobs_(job_pool_, parts.clock) {
  gateway::Gateway& gateway = parts.gateway;
  AddStatusRoutes(router_, {.inspection = parts.inspection,
                            .metrics = parts.metrics,
                            .pool = gateway.io_pool(),
                            .account = gateway.accounts().name(),
                            .certificate_pem = options_.certificate_pem,
                            .state = [this] {
                              return draining_.load()   ? ServingState::kDraining
                                     : starting_.load() ? ServingState::kStarting
                                                        : ServingState::kOk;
                            }});
  if (options_.explorer) {
    AddExplorerRoutes(router_, {.door = door_,
                                .assets = parts.assets,
                                .account = gateway.accounts().name(),
                                .version = std::string(parts.inspection.version())});
  }
  AddCatalogRoutes(router_, gateway);
  AddPartitionRoutes(router_, parts.inspection, gateway.io_pool(), options_.partition_bytes_max);
  AddMapRoutes(router_, {.gateway = gateway,
                         .inspection = parts.inspection,
                         .monitor = parts.monitor,
                         .names = parts.names,
                         .clock = parts.clock,
                         .partition_bytes_max = options_.partition_bytes_max});
  const auto may_write = [this](const net::HttpRequest& request) {
    return door_.AccessOf(request) == gateway::Access::kReadWrite;
  };
  AddConnectRoutes(router_, {parts.connect, door_.origin(), may_write});
  AddQueryRoutes(router_, {.runners = parts.runners,
                           .running = running_queries_,
                           .pool = query_pool_,
                           .clock = parts.clock,
                           .random = parts.random,
                           .may_write = may_write});
  AddJobRoutes(router_, {gateway, parts.inspection, jobs_});
  AddMoveRoutes(router_, gateway, parts.moves);
  AddStatementRoutes(router_, gateway.io_pool());
  AddItemRoutes(router_, gateway);
  AddScanRoutes(router_, gateway);
  AddFeedRoutes(router_, gateway);
  AddArchiveRoutes(router_, gateway, parts.rows);
  AddStateRoutes(router_, options_.states, gateway.io_pool());
  AddFaultRoutes(router_, options_.faults);
}

std::optional<net::HttpResponse> Portal::Refusal(const net::HttpRequest& head) const {
  const auto secured = [&](auto answer) {
    return net::AnswerOf([&](net::HttpResponder responder) {
      net::HttpResponder with_headers = WithSecurityHeaders(head, std::move(responder));
      answer(with_headers);
    });
  };
  const auto refusal = [&](Status& status) {
    return secured([&](net::HttpResponder& responder) {
      Answer(responder, Fail(std::move(status).error()));
    });
  };
  if (Status allowed = door_.origin().Check(head); !allowed.has_value()) return refusal(allowed);
  const Router::Match match = router_.Find(head);
  if (match.route == nullptr) {
    return secured(
        [&](net::HttpResponder& responder) { responder.Send(NoRoute(head, match)); });
  }
  if (Status admitted = door_.Admit(head, match.route->guard); !admitted.has_value())
    return refusal(admitted);
  return std::nullopt;
}

void Portal::Handle(net::HttpRequest request, net::HttpResponder responder) {
  net::HttpResponder secured = WithSecurityHeaders(request, std::move(responder));
  Dispatch(std::move(request), std::move(secured));
}

void Portal::Dispatch(net::HttpRequest request, net::HttpResponder responder) {
  if (Status allowed = door_.origin().Check(request); !allowed.has_value()) {
    Answer(responder, Fail(std::move(allowed).error()));
    return;
  }
  Router::Match match = router_.Find(request);
  if (match.route == nullptr) {
    responder.Send(NoRoute(request, match));
    return;
  }
  if (Status admitted = door_.Admit(request, match.route->guard); !admitted.has_value()) {
    Answer(responder, Fail(std::move(admitted).error()));
    return;
  }
  match.route->handler({{std::move(request), std::move(responder)}, std::move(match.parameters)});
}

}  // namespace orrery::portal
