#include "api/cassandra/service/cql_query_runner.h"

#include <fmt/format.h>

#include <algorithm>
#include <future>
#include <map>
#include <utility>

#include "api/cassandra/types/json/json.h"
#include "api/cassandra/types/marshal_name.h"
#include "base/bytes.h"
#include "model/document/json.h"

namespace orrery::cassandra {
namespace {

using query::RunnerColumn;
using query::RunnerFailure;
using query::RunnerForm;
using query::RunnerRequest;
using query::RunnerResult;

// Digits that every double holds.
constexpr size_t kExactDigits = 15;

RunnerFailure FailureOfCql(const CqlError& error) {
  const auto fail = [&](Code code) {
    RunnerFailure failure(Error(code, error.message));
    failure.detail = fmt::format("0x{:04X}", static_cast<int32_t>(error.code));
    return failure;
  };
  if (error.retry_after_ms > 0)
    return RunnerFailure(Error::Throttled(error.message, error.retry_after_ms));
  switch (error.code) {
    case ErrorCode::kSyntaxError:
    case ErrorCode::kInvalid:
    case ErrorCode::kConfigError:
    case ErrorCode::kProtocolError:
      return fail(Code::kInvalidArgument);
    case ErrorCode::kUnauthorized:
      return fail(Code::kForbidden);
    case ErrorCode::kAlreadyExists:
      return fail(Code::kAlreadyExists);
    case ErrorCode::kOverloaded:
      return fail(Code::kOverloaded);
    case ErrorCode::kServerError:
      return fail(Code::kInternal);
    default:
      return fail(Code::kUnavailable);
  }
}

// The values of a statement's markers, as bytes.
class BoundParameters {
 public:
  Status Bind(const PreparedInfo& prepared, const model::Value& given) {
    const auto& columns = prepared.variables->columns();
    std::map<std::string, const model::Value*, std::less<>> by_name;
    if (given.kind() == model::Kind::kObject) {
      for (const auto& [name, value] : given.AsFields()) by_name[name] = &value;
    } else if (given.kind() != model::Kind::kArray) {
      return Fail(Code::kInvalidArgument, "parameters of CQL are an array, or an object by name");
    } else if (given.AsValues().size() != columns.size()) {
      return Fail(Code::kInvalidArgument,
                  fmt::format("{} parameters are given, the statement has {} markers",
                              given.AsValues().size(), columns.size()));
    }
    bytes_.reserve(columns.size());
    for (size_t i = 0; i < columns.size(); ++i) {
      const model::Value* value = nullptr;
      if (given.kind() == model::Kind::kArray) {
        value = &given.AsValues()[i];
      } else if (const auto found = by_name.find(columns[i].name); found != by_name.end()) {
        value = found->second;
      } else {
        return Fail(Code::kInvalidArgument,
                    fmt::format("there is no parameter '{}'", columns[i].name));
      }
      ORRERY_ASSIGN(const TypePtr type, ParseMarshalName(MarshalClass(columns[i].type)));
      ORRERY_ASSIGN(const JsonValue json, ParseJson(model::ToJson(*value)));
      ORRERY_ASSIGN(std::optional<std::string> bytes, FromJson(*type, json, /*now_ms=*/0));
      bytes_.push_back(std::move(bytes));
    }
    return {};
  }

  std::vector<BoundValue> Values() const {
    std::vector<BoundValue> values;
    for (const auto& bytes : bytes_) {
      BoundValue value;
      if (bytes.has_value()) {
        value.state = BoundValue::State::kValue;
        value.bytes = *bytes;
      }
      values.push_back(value);
    }
    return values;
  }

 private:
  std::vector<std::optional<std::string>> bytes_;
};

bool IsWholeNumber(const Type& type) {
  return type.kind() == TypeKind::kBigint || type.kind() == TypeKind::kCounter ||
         type.kind() == TypeKind::kVarint || type.kind() == TypeKind::kDecimal;
}

Result<std::string> CellText(const Type& type, std::string_view bytes) {
  ORRERY_ASSIGN(std::string text, ToJson(type, bytes));
  const bool is_long = text.size() > kExactDigits && !text.starts_with('"');
  return is_long && IsWholeNumber(type) ? fmt::format("\"{}\"", text) : text;
}

Status WriteRows(const RowsOutcome& rows, RunnerResult& result) {
  result.form = RunnerForm::kRows;
  std::vector<TypePtr> types;
  for (const ColumnSpec& column : rows.shape->columns()) {
    ORRERY_ASSIGN(TypePtr type, ParseMarshalName(MarshalClass(column.type)));
    result.columns.push_back({column.name, type->CqlName()});
    types.push_back(std::move(type));
  }
  ByteReader reader(rows.cells);
  for (int32_t i = 0; i < rows.rows; ++i) {
    std::string row = "[";
    for (size_t column = 0; column < types.size(); ++column) {
      if (column > 0) row += ',';
      int32_t size = 0;
      std::string_view bytes;
      if (!reader.ReadBigEndian(size) ||
          (size > 0 && !reader.ReadBytes(static_cast<size_t>(size), bytes))) {
        return Fail(Code::kInternal, "a result is shorter than it says");
      }
      if (size < 0) {
        row += "null";
        continue;
      }
      ORRERY_ASSIGN(const std::string text, CellText(*types[column], bytes));
      row += text;
    }
    result.rows.push_back(row + ']');
  }
  if (rows.paging_state.has_value()) result.continuation = ToHex(*rows.paging_state);
  return {};
}

}  // namespace

query::RunnerOutcome<RunnerResult> CqlQueryRunner::Run(const RunnerRequest& asked) {
  auto client = std::make_shared<Client>();
  client->keyspace = asked.database;
  client->superuser = asked.may_write;
  client->read_only = !asked.may_write;
  const MessageContext context{
      .client = client, .payload = {}, .tracing_id = std::nullopt, .request = asked.context};
  QueryRequest request{.query = asked.text, .parameters = {}};
  request.parameters.page_rows = static_cast<int32_t>(asked.items_max);
  std::string paging_state;
  if (!asked.continuation.empty()) {
    if (!FromHex(asked.continuation, paging_state)) {
      return std::unexpected(RunnerFailure(
          Error(Code::kInvalidArgument, "the continuation is not one of this server's")));
    }
    request.parameters.paging_state = paging_state;
  }
  BoundParameters bound;
  const bool has_parameters = !asked.parameters.is_undefined() && !asked.parameters.is_null();
  if (has_parameters) {
    const auto prepared = statements_.Prepare({.query = asked.text, .keyspace = {}}, context);
    if (!prepared.has_value()) return std::unexpected(FailureOfCql(prepared.error()));
    if (Status status = bound.Bind(*prepared, asked.parameters); !status.has_value())
      return std::unexpected(RunnerFailure(std::move(status).error()));
    request.parameters.values = bound.Values();
  }
  // Statements finish on another thread, which may be late for one that was given up.
  const auto promise = std::make_shared<std::promise<Outcome>>();
  std::future<Outcome> future = promise->get_future();
  statements_.Query(request, context,
                    [promise](Outcome outcome) { promise->set_value(std::move(outcome)); });
  const Outcome outcome = future.get();
  if (const auto* error = std::get_if<CqlError>(&outcome.result))
    return std::unexpected(FailureOfCql(*error));
  RunnerResult result;
  result.form = RunnerForm::kNone;
  result.charge = outcome.charge;
  result.warnings = outcome.warnings;
  if (const auto* rows = std::get_if<RowsOutcome>(&outcome.result)) {
    if (Status status = WriteRows(*rows, result); !status.has_value())
      return std::unexpected(RunnerFailure(std::move(status).error()));
  }
  return result;
}

}  // namespace orrery::cassandra
