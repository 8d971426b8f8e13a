#include "api/table/service/request_reader.h"

#include <fmt/format.h>

#include "api/table/executor/entity_change.h"

namespace orrery::table {
namespace {

std::unexpected<ErrorResponse> BadVerb() { return Refuse(ErrorCode::kUnsupportedHttpVerb); }

Outcome<Operation> ServiceOperation(std::string_view method, const net::HttpRequest& request) {
  const auto comp = request.Query("comp");
  if (request.Query("restype") != "service" || (comp != "properties" && comp != "stats"))
    return Refuse(ErrorCode::kInvalidUri);
  if (comp == "stats") {
    if (method != "GET") return BadVerb();
    return Operation::kGetServiceStats;
  }
  if (method == "GET") return Operation::kGetServiceProperties;
  if (method == "PUT") return Operation::kSetServiceProperties;
  return BadVerb();
}

Outcome<Operation> EntitiesOperation(std::string_view method, const net::HttpRequest& request) {
  if (request.Query("comp") == "acl") {
    if (method == "GET") return Operation::kGetAcl;
    if (method == "PUT") return Operation::kSetAcl;
    return BadVerb();
  }
  if (method == "GET") return Operation::kQueryEntities;
  if (method == "POST") return Operation::kInsertEntity;
  return BadVerb();
}

}  // namespace

Outcome<Operation> OperationOf(std::string_view method, const Address& address,
                               const net::HttpRequest& request, bool has_condition) {
  switch (address.kind) {
    case ResourceKind::kService:
      return ServiceOperation(method, request);
    case ResourceKind::kTables:
      if (method == "GET") return Operation::kQueryTables;
      if (method == "POST") return Operation::kCreateTable;
      return BadVerb();
    case ResourceKind::kOneTable:
      if (method == "GET") return Operation::kGetTable;
      if (method == "DELETE") return Operation::kDeleteTable;
      return BadVerb();
    case ResourceKind::kEntities:
      return EntitiesOperation(method, request);
    case ResourceKind::kBatch:
      if (method == "POST") return Operation::kBatch;
      return BadVerb();
    case ResourceKind::kEntity:
      break;
  }
  const auto operation = EntityOperation(method, has_condition);
  if (!operation.has_value()) return BadVerb();
  return *operation;
}

Outcome<void> ReadRequest(Call& call, std::span<const std::string> accounts) {
  const net::HttpRequest& request = call.request;
  TABLE_ASSIGN(call.options, ReadOptions(request.headers, request.Query("$format")));
  TABLE_ASSIGN(const std::string method, EffectiveMethod(request.method, request.headers));
  TABLE_ASSIGN(call.address, ReadAddress(request.segments, accounts));
  TABLE_ASSIGN(call.operation,
               OperationOf(method, call.address, request, !call.options.if_match.empty()));
  call.base_url = fmt::format("{}://{}{}{}", request.tls ? "https" : "http",
                              request.headers.Find("host").value_or("localhost"),
                              call.address.account.empty() ? "" : "/", call.address.account);
  return {};
}

}  // namespace orrery::table
