#include "api/table/service/table_service.h"

#include <utility>

#include "api/table/executor/batch_command.h"
#include "api/table/executor/cors.h"
#include "api/table/executor/entity_commands.h"
#include "api/table/executor/query_command.h"
#include "api/table/executor/service_commands.h"
#include "api/table/executor/table_commands.h"
#include "api/table/service/call_faults.h"
#include "api/table/service/request_reader.h"
#include "api/table/service/response_writer.h"
#include "base/statement_book.h"

namespace orrery::table {
namespace {

RequestOperation MeteredAs(const net::HttpRequest& request) {
  if (request.path.ends_with("/$batch")) return RequestOperation::kBatch;
  if (request.method == "GET") return RequestOperation::kQuery;
  return request.method == "OPTIONS" ? RequestOperation::kOther : RequestOperation::kWrite;
}

// Counts the request among those of its statement: method, table, and the filter without values.
void NoteStatementOf(const net::HttpRequest& request, const StatementRun& run) {
  if (!StatementBookIsOpen() || request.method == "OPTIONS") return;
  std::string_view table = std::string_view(request.path).substr(request.path.rfind('/') + 1);
  const bool is_entity = table.ends_with(')') && !table.ends_with("()");
  table = table.substr(0, table.find('('));
  std::string identity = request.method;
  identity += is_entity ? " (entity)" : "";
  const auto filter = request.Query("$filter");
  if (filter.has_value()) identity += " $filter=" + std::string(*filter);
  StatementRun noted = run;
  // Of a query it is not known.
  noted.partitions = is_entity ? 1 : 0;
  NoteStatement({.api = "table", .database = "TablesDB", .container = table, .identity = identity},
                noted, [&] { return NormalizeStatement(identity, StatementQuotes::kSingle); });
}

constexpr size_t kBodyBytesMax = size_t{4} << 20;

}  // namespace

gateway::AccountKeys StorageEmulatorKeys() {
  gateway::AccountKeys keys;
  keys.account = kStorageEmulatorAccount;
  keys.primary = kStorageEmulatorKey;
  return keys;
}

TableService::TableService(TableOptions options, Parts parts)
    : options_(options),
      parts_{parts.gateway, parts.clock, Tables(parts.gateway.catalog())},
      authorizer_(parts.accounts, parts.client_clock),
      request_ids_(static_cast<uint64_t>(parts.clock.Now().count())),
      query_runner_(parts.gateway, parts.clock),
      faults_(parts.faults) {
  if (parts.metrics != nullptr) meter_ = std::make_unique<RequestMeter>(*parts.metrics, "table");
  for (const gateway::Accounts* account : parts.accounts) account_names_.push_back(account->name());
  AddHandlers();
}

void TableService::AddHandlers() {
  using enum Operation;
  ThreadPool& pool = parts_.gateway.io_pool();
  const EntityCommands entities(parts_);
  handlers_.Add(kGetEntity, [=](Call call) { entities.Get(std::move(call)); });
  for (const Operation operation : {kInsertEntity, kReplaceEntity, kMergeEntity,
                                    kInsertOrReplaceEntity, kInsertOrMergeEntity, kDeleteEntity})
    handlers_.Add(operation, [=](Call call) { entities.Change(std::move(call)); });
  const BatchCommand batches(parts_);
  handlers_.Add(kBatch, [=](Call call) { batches.Run(std::move(call)); });
  const QueryCommand queries(parts_);
  handlers_.Add(kQueryEntities, [=](Call call) { queries.Run(std::move(call)); });

  const auto add = [&](auto commands, Operation operation, auto method) {
    handlers_.AddBlocking(pool, operation,
                          [=](const Call& call) { return (commands.*method)(call); });
  };
  const TableCommands tables(parts_);
  add(tables, kQueryTables, &TableCommands::List);
  add(tables, kGetTable, &TableCommands::Get);
  add(tables, kCreateTable, &TableCommands::Create);
  add(tables, kDeleteTable, &TableCommands::Delete);
  add(tables, kGetAcl, &TableCommands::GetAcl);
  add(tables, kSetAcl, &TableCommands::SetAcl);
  const ServiceCommands service(parts_);
  add(service, kGetServiceProperties, &ServiceCommands::GetProperties);
  add(service, kSetServiceProperties, &ServiceCommands::SetProperties);
  add(service, kGetServiceStats, &ServiceCommands::GetStats);
}

Outcome<void> TableService::Admit(Call& call) const {
  if (options_.require_tls && !call.request.tls) {
    return Refuse(ErrorCode::kAuthorizationProtocolMismatch,
                  "This server wants TLS: use https, or start it with --allow-insecure.");
  }
  TABLE_TRY(ReadRequest(call, account_names_));
  if (call.request.body.size() > kBodyBytesMax) return Refuse(ErrorCode::kRequestBodyTooLarge);
  gateway::ContainerRef table;
  if (!call.address.table.empty()) table = parts_.tables.Find(call.address.table, call.dialect);
  TABLE_ASSIGN(call.grant, authorizer_.Check(call.request, call.address, table.get()));
  if (call.address.is_secondary && !IsRead(call.operation))
    return Refuse(ErrorCode::kWriteOperationNotSupportedOnSecondary);
  return call.grant.Check(call.operation, call.address.table);
}

Call TableService::MakeCall(net::HttpRequest request, net::HttpResponder responder,
                            Dialect dialect) {
  request.context.set_activity_id(request_ids_.Next());
  Call call{.request = std::move(request), .dialect = dialect};
  call.respond = [responder = std::move(responder), tables = parts_.tables, &clock = parts_.clock,
                  meter = meter_.get(), began = parts_.clock.Monotonic()](
                     Outcome<Reply> outcome, const net::HttpRequest& asked,
                     const RequestOptions& options) mutable {
    if (meter != nullptr) {
      meter->Note(MeteredAs(asked), clock.Monotonic() - began,
                  outcome.has_value() ? outcome->charge : outcome.error().charge,
                  !outcome.has_value());
      NoteStatementOf(asked, {.took = clock.Monotonic() - began,
                              .charge = outcome.has_value() ? outcome->charge
                                                            : outcome.error().charge,
                              .failed = !outcome.has_value()});
    }
    net::HttpResponse response = ToResponse(std::move(outcome), asked, options, clock.Now());
    AddCorsHeaders(tables, asked, response.headers);
    responder.Send(std::move(response));
  };
  return call;
}

std::optional<net::HttpResponse> TableService::Refusal(const net::HttpRequest& head,
                                                       Dialect dialect) {
  if (head.method == "OPTIONS") return std::nullopt;
  Call call{.request = head, .dialect = dialect};
  auto admitted = Admit(call);
  if (admitted.has_value()) return std::nullopt;
  return net::AnswerOf([&](net::HttpResponder responder) {
    Call refused = MakeCall(head, std::move(responder), dialect);
    refused.options = call.options;
    Answer(refused, std::unexpected(std::move(admitted).error()));
  });
}

void TableService::Handle(net::HttpRequest request, net::HttpResponder responder, Dialect dialect) {
  Call call = MakeCall(std::move(request), std::move(responder), dialect);
  if (call.request.method == "OPTIONS") return Answer(call, Preflight(parts_.tables, call.request));
  if (auto admitted = Admit(call); !admitted.has_value())
    return Answer(call, std::unexpected(std::move(admitted).error()));
  const auto* handler = handlers_.Find(call.operation);
  if (handler == nullptr) return Answer(call, Refuse(ErrorCode::kNotImplemented));
  const bool may_meet_faults = faults_ != nullptr && faults_->armed();
  if (may_meet_faults && MeetsFault(*faults_, call, *handler)) return;
  (*handler)(std::move(call));
}

}  // namespace orrery::table
