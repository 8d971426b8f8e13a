#include "api/sql/service/sql_service.h"

#include <span>
#include <string>
#include <utility>

#include "api/sql/handler/document/batch_handler.h"
#include "api/sql/handler/document/document_handler.h"
#include "api/sql/handler/document/feed_handler.h"
#include "api/sql/handler/query/query_handler.h"
#include "api/sql/handler/resource/account_handler.h"
#include "api/sql/handler/resource/container_handler.h"
#include "api/sql/handler/resource/database_handler.h"
#include "api/sql/handler/resource/encryption_key_handler.h"
#include "api/sql/handler/resource/offer_handler.h"
#include "api/sql/handler/resource/range_handler.h"
#include "api/sql/handler/resource/user_handler.h"
#include "api/sql/handler/script/script_handler.h"
#include "api/sql/handler/script/triggered_write.h"
#include "net/http/url.h"

namespace orrery::sql {
namespace {

// Clients that join an endpoint and a path with one slash too many ask for "//dbs".
std::span<const std::string> WithoutLeadingSlashes(std::span<const std::string> segments) {
  while (!segments.empty() && segments.front().empty()) segments = segments.subspan(1);
  return segments;
}

// The API has no query parameters: clients write the '?' of an id as it is.
Answered<void> AddQuestionToId(std::string_view target, ResourcePath& path) {
  const size_t question = target.find('?');
  if (question == std::string_view::npos || path.feed || path.steps.empty()) return {};
  SQL_ASSIGN(const std::string rest, net::PercentDecode(target.substr(question)));
  path.steps.back().id += rest;
  return {};
}

}  // namespace

SqlService::SqlService(SqlOptions options, const Parts& given)
    : options_(options),
      clock_(given.clock),
      queries_(given.clock),
      engine_(given.gateway, functions_, given.clock),
      function_pool_(given.scripts, given.clock, {}),
      procedure_pool_(given.scripts, given.clock, {}),
      script_queries_(engine_, script_sets_, function_pool_, given.clock),
      executor_(procedure_pool_, {.gateway = given.gateway,
                                  .queries = script_queries_,
                                  .clock = given.clock,
                                  .limits = {}}),
      authorizer_(given.gateway, given.clock),
      activity_ids_(static_cast<uint64_t>(given.clock.Now().count())) {
  const HandlerParts parts{.gateway = given.gateway,
                           .clock = given.clock,
                           .queries = queries_,
                           .engine = engine_,
                           .scripts = script_sets_,
                           .executor = executor_,
                           .functions = function_pool_,
                           .container_changes = container_changes_,
                           .default_throughput = options.default_throughput,
                           .clients_merge = options.clients_merge};
  AddAccountHandlers(handlers_, parts);
  AddDatabaseHandlers(handlers_, parts);
  AddContainerHandlers(handlers_, parts);
  AddDocumentHandlers(handlers_, parts);
  AddFeedHandlers(handlers_, parts);
  AddBatchHandlers(handlers_, parts);
  AddRangeHandlers(handlers_, parts);
  AddOfferHandlers(handlers_, parts);
  AddUserHandlers(handlers_, parts);
  AddEncryptionKeyHandlers(handlers_, parts);
  AddQueryHandlers(handlers_, parts);
  AddScriptHandlers(handlers_, parts);
  AddTriggeredWrites(handlers_, parts);
}

void SqlService::Stop() {
  procedure_pool_.Stop();
  function_pool_.Stop();
}

void SqlService::Handle(net::HttpRequest request, net::HttpResponder responder) {
  Call call{.request = std::move(request),
            .path = {},
            .headers = {},
            .action = Action::kRead,
            .activity_id = {},
            .responder = std::move(responder),
            .clock = &clock_,
            .received = clock_.Monotonic()};
  call.activity_id = activity_ids_.Of(call.request);
  Answered<const Handler*> handler = Admit(call);
  if (!handler.has_value()) return Answer(call, std::unexpected(std::move(handler).error()));
  (**handler)(std::move(call));
}

Answered<const Handler*> SqlService::Admit(Call& call) {
  if (options_.require_tls && !call.request.tls)
    return Refuse(403, "this server takes signed requests over TLS only; use https://");
  SQL_ASSIGN(call.path, ParseResourcePath(WithoutLeadingSlashes(call.request.segments)));
  SQL_TRY(AddQuestionToId(call.request.target, call.path));
  SQL_ASSIGN(call.headers, ReadHeaders(call.request.headers));
  SQL_ASSIGN(call.action, ActionOf(call.request.method, call.path, call.headers));
  SQL_TRY(authorizer_.Check(call.request, call.path, call.headers, call.action));
  const Handler* handler = handlers_.Find(call.path.type, call.action);
  if (handler != nullptr) return handler;
  return Refuse(405, call.request.method + " is not a method of this resource");
}

}  // namespace orrery::sql
