#include "api/sql/service/sql_service.h"

#include <span>
#include <string>
#include <utility>

#include "api/sql/handler/account_handler.h"
#include "api/sql/handler/batch_handler.h"
#include "api/sql/handler/container_handler.h"
#include "api/sql/handler/database_handler.h"
#include "api/sql/handler/document_handler.h"
#include "api/sql/handler/feed_handler.h"
#include "api/sql/handler/offer_handler.h"
#include "api/sql/handler/range_handler.h"
#include "api/sql/handler/user_handler.h"

namespace orrery::sql {
namespace {

// What is part of the API and has no handler: told apart from what never was.
bool IsUnavailable(const Call& call) {
  switch (call.path.type) {
    case ResourceType::kStoredProcedure:
    case ResourceType::kTrigger:
    case ResourceType::kUserFunction:
    case ResourceType::kClientEncryptionKey:
      return true;
    default:
      return call.action == Action::kQuery || call.action == Action::kQueryPlan;
  }
}

bool WantsTriggers(const Call& call) {
  return !call.headers.pre_triggers.empty() || !call.headers.post_triggers.empty();
}

// Clients that join an endpoint and a path with one slash too many ask for "//dbs".
std::span<const std::string> WithoutLeadingSlashes(std::span<const std::string> segments) {
  while (!segments.empty() && segments.front().empty()) segments = segments.subspan(1);
  return segments;
}

std::unexpected<Refusal> Unavailable() {
  return Refuse(501, "this server has no queries over documents and no scripts");
}

}  // namespace

SqlService::SqlService(SqlOptions options, gateway::Gateway& gateway, const Clock& clock)
    : options_(options),
      queries_(clock),
      authorizer_(gateway, clock),
      activity_ids_(static_cast<uint64_t>(clock.Now().count())) {
  const HandlerParts parts{.gateway = gateway, .clock = clock, .queries = queries_};
  AddAccountHandlers(handlers_, parts);
  AddDatabaseHandlers(handlers_, parts);
  AddContainerHandlers(handlers_, parts);
  AddDocumentHandlers(handlers_, parts);
  AddFeedHandlers(handlers_, parts);
  AddBatchHandlers(handlers_, parts);
  AddRangeHandlers(handlers_, parts);
  AddOfferHandlers(handlers_, parts);
  AddUserHandlers(handlers_, parts);
}

void SqlService::Handle(net::HttpRequest request, net::HttpResponder responder) {
  Call call{.request = std::move(request),
            .path = {},
            .headers = {},
            .action = Action::kRead,
            .activity_id = {},
            .responder = std::move(responder)};
  call.activity_id = activity_ids_.Of(call.request);
  Answered<const Handler*> handler = Admit(call);
  if (!handler.has_value()) return Answer(call, std::unexpected(std::move(handler).error()));
  (**handler)(std::move(call));
}

Answered<const Handler*> SqlService::Admit(Call& call) const {
  if (options_.require_tls && !call.request.tls)
    return Refuse(403, "this server takes signed requests over TLS only; use https://");
  SQL_ASSIGN(call.path, ParseResourcePath(WithoutLeadingSlashes(call.request.segments)));
  SQL_ASSIGN(call.headers, ReadHeaders(call.request.headers));
  SQL_ASSIGN(call.action, ActionOf(call.request.method, call.path, call.headers));
  SQL_TRY(authorizer_.Check(call.request, call.path, call.headers, call.action));
  if (WantsTriggers(call)) return Unavailable();
  const Handler* handler = handlers_.Find(call.path.type, call.action);
  if (handler != nullptr) return handler;
  if (IsUnavailable(call)) return Unavailable();
  return Refuse(405, call.request.method + " is not a method of this resource");
}

}  // namespace orrery::sql
