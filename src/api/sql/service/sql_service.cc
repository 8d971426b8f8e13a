#include "api/sql/service/sql_service.h"

#include <fmt/format.h>

#include <span>
#include <string>
#include <utility>

#include "api/sql/handler/document/batch_handler.h"
#include "api/sql/handler/document/document_handler.h"
#include "api/sql/handler/document/feed_handler.h"
#include "api/sql/handler/query/query_handler.h"
#include "api/sql/handler/resource/account_handler.h"
#include "api/sql/handler/resource/address_handler.h"
#include "api/sql/handler/resource/container_handler.h"
#include "api/sql/handler/resource/database_handler.h"
#include "api/sql/handler/resource/encryption_key_handler.h"
#include "api/sql/handler/resource/offer_handler.h"
#include "api/sql/handler/resource/range_handler.h"
#include "api/sql/handler/resource/user_handler.h"
#include "api/sql/handler/script/script_handler.h"
#include "api/sql/handler/script/triggered_write.h"
#include "api/sql/service/call_faults.h"
#include "base/statement_book.h"
#include "net/http/url.h"

namespace orrery::sql {
namespace {

// Of the rows that sorts and GROUP BY have made for the next pages. What does not fit is computed
// again.
constexpr query::CursorLimits kKeptRowsLimits{.cursors_max = 1'000,
                                              .cursors_of_owner_max = 1'000,
                                              .bytes_max = size_t{128} << 20,
                                              .bytes_of_owner_max = size_t{128} << 20,
                                              .idle_max = std::chrono::seconds(60)};

// Clients that join an endpoint and a path with one slash too many ask for "//dbs".
std::span<const std::string> WithoutLeadingSlashes(std::span<const std::string> segments) {
  while (!segments.empty() && segments.front().empty()) segments = segments.subspan(1);
  return segments;
}

// The API has no query parameters: clients write the '?' of an id as it is.
SqlResult<void> AddQuestionToId(std::string_view target, ResourcePath& path) {
  const size_t question = target.find('?');
  if (question == std::string_view::npos || path.feed || path.steps.empty()) return {};
  SQL_ASSIGN(const std::string rest, net::PercentDecode(target.substr(question)));
  path.steps.back().id += rest;
  return {};
}

// "/addresses/?$resolveFor=dbs/..." asks where Direct mode finds a resource, and is signed for it.
bool AsksForAddresses(std::span<const std::string> segments) {
  return !segments.empty() && segments.front() == "addresses";
}

SqlResult<ResourcePath> ResolvedPath(const net::HttpRequest& request) {
  const auto wanted = request.Query("$resolveFor");
  if (!wanted.has_value() || wanted->empty())
    return Refuse(400, "a request for addresses needs the parameter $resolveFor");
  SQL_ASSIGN(const net::RequestTarget target, net::ParseRequestTarget(fmt::format("/{}", *wanted)));
  SQL_ASSIGN(ResourcePath path, ParseResourcePath(WithoutLeadingSlashes(target.segments)));
  return path;
}

Credentials CredentialsOf(const net::HttpRequest& request) {
  const net::HttpHeaders& headers = request.headers;
  return {.verb = request.method,
          .authorization = headers.Find("authorization").value_or(""),
          .ms_date = headers.Find("x-ms-date").value_or(""),
          .date = headers.Find("date").value_or("")};
}

}  // namespace

SqlService::SqlService(SqlOptions options, const Parts& given)
    : options_(options),
      gateway_(given.gateway),
      clock_(given.clock),
      faults_(given.faults),
      direct_(given.cluster),
      queries_(given.clock),
      kept_rows_({.clock = given.clock,
                  .metrics = given.metrics,
                  .random = given.random,
                  .api = "sql",
                  .limits = kKeptRowsLimits}),
      engine_(given.gateway, functions_, given.clock, {}, &kept_rows_),
      function_pool_(given.scripts, given.clock, {}),
      procedure_pool_(given.scripts, given.clock, {}),
      script_queries_(engine_, script_sets_, function_pool_, given.clock),
      query_runner_({.gateway = given.gateway,
                     .engine = engine_,
                     .scripts = script_sets_,
                     .functions = function_pool_,
                     .clock = given.clock}),
      executor_(procedure_pool_, {.gateway = given.gateway,
                                  .queries = script_queries_,
                                  .clock = given.clock,
                                  .limits = {}}),
      authorizer_(given.gateway,
                  given.client_clock == nullptr ? given.clock : *given.client_clock),
      activity_ids_(static_cast<uint64_t>(given.clock.Now().count())),
      meter_(given.metrics, "sql") {
  const HandlerParts parts{.gateway = given.gateway,
                           .clock = given.clock,
                           .queries = queries_,
                           .engine = engine_,
                           .scripts = script_sets_,
                           .executor = executor_,
                           .functions = function_pool_,
                           .container_changes = container_changes_,
                           .default_throughput = options.default_throughput,
                           .clients_merge = options.clients_merge,
                           .direct = direct_};
  AddAccountHandlers(handlers_, parts);
  AddAddressHandlers(handlers_, parts);
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

Call SqlService::MakeCall(net::HttpRequest request, net::HttpResponder responder) {
  request.context.set_activity_id(activity_ids_.Of(request, "x-ms-activity-id"));
  return {.request = std::move(request),
          .respond = RespondOverHttp(std::move(responder)),
          .clock = &clock_,
          .received = clock_.Monotonic()};
}

void SqlService::Handle(net::HttpRequest request, net::HttpResponder responder) {
  Call call = MakeCall(std::move(request), std::move(responder));
  const SqlResult<void> read = ReadRequest(call);
  if (!read.has_value()) return Answer(call, std::unexpected(read.error()));
  Handle(std::move(call), CredentialsOf(call.request));
}

std::optional<net::HttpResponse> SqlService::Refusal(const net::HttpRequest& head) {
  Call call{.request = head};
  SqlResult<void> admitted = ReadRequest(call);
  if (admitted.has_value()) {
    const auto handler = Admit(call, CredentialsOf(call.request));
    if (!handler.has_value()) admitted = std::unexpected(handler.error());
  }
  if (admitted.has_value()) return std::nullopt;
  return net::AnswerOf([&](net::HttpResponder responder) {
    Call refused = MakeCall(head, std::move(responder));
    refused.headers = std::move(call.headers);
    Answer(refused, std::unexpected(std::move(admitted).error()));
  });
}

SqlResult<void> SqlService::ReadRequest(Call& call) const {
  if (options_.require_tls && !call.request.tls)
    return Refuse(403, "this server takes signed requests over TLS only; use https://");
  const auto segments = WithoutLeadingSlashes(call.request.segments);
  SQL_ASSIGN(call.headers, ReadHeaders(call.request.headers));
  if (AsksForAddresses(segments)) {
    SQL_ASSIGN(call.path, ResolvedPath(call.request));
    if (call.request.method != "GET") return Refuse(405, "addresses can only be read");
    call.action = Action::kResolveAddresses;
    return {};
  }
  SQL_ASSIGN(call.path, ParseResourcePath(segments));
  SQL_TRY(AddQuestionToId(call.request.target, call.path));
  SQL_ASSIGN(call.action, ActionOf(call.request.method, call.path, call.headers));
  return {};
}

SqlResult<const Handler*> SqlService::Admit(const Call& call, const Credentials& credentials) {
  SQL_TRY(authorizer_.Check(credentials, call.path, call.headers, call.action));
  const Handler* handler = handlers_.Find(call.path.type, call.action);
  if (handler == nullptr)
    return Refuse(405, fmt::format("{} is not a method of this resource", credentials.verb));
  return handler;
}

void SqlService::Handle(Call&& call, const Credentials& credentials) {
  call.meter = &meter_;
  if (call.action == Action::kQuery && StatementBookIsOpen())
    call.visits = std::make_shared<VisitTally>();
  const SqlResult<const Handler*> handler = Admit(call, credentials);
  if (!handler.has_value()) return Answer(call, std::unexpected(handler.error()));
  const bool may_meet_faults = faults_ != nullptr && faults_->armed();
  if (may_meet_faults && MeetsFault(*faults_, gateway_.catalog(), call, **handler)) return;
  (**handler)(std::move(call));
}

}  // namespace orrery::sql
