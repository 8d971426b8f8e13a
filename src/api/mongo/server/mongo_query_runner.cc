#include "api/mongo/server/mongo_query_runner.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>

#include "api/mongo/command/operation/operation_registry.h"
#include "api/mongo/shell/shell_command.h"
#include "model/document/document_builder.h"
#include "model/document/json.h"

namespace orrery::mongo {
namespace {

using model::Kind;
using model::Value;
using query::RunnerFailure;
using query::RunnerForm;
using query::RunnerRequest;
using query::RunnerResult;

constexpr std::string_view kExplorerUser = "explorer";

Code CodeOf(const MongoError& error) {
  switch (static_cast<ErrorCode>(error.code)) {
    case ErrorCode::kUnauthorized:
      return Code::kForbidden;
    case ErrorCode::kNamespaceNotFound:
      return Code::kNotFound;
    case ErrorCode::kDuplicateKey:
      return Code::kAlreadyExists;
    case ErrorCode::kTooManyRequests:
      return Code::kThrottled;
    case ErrorCode::kInterrupted:
    case ErrorCode::kInterruptedAtShutdown:
      return Code::kCancelled;
    default:
      return Code::kInvalidArgument;
  }
}

RunnerFailure FailureOfMongo(const MongoError& error) {
  const Code code = CodeOf(error);
  RunnerFailure failure(code == Code::kThrottled ? Error::Throttled(error.message, 1'000)
                                                 : Error(code, error.message));
  failure.detail = error.code_name().empty() ? std::to_string(error.code) : error.code_name();
  return failure;
}

RunnerFailure Invalid(std::string message) {
  return RunnerFailure(Error(Code::kInvalidArgument, std::move(message)));
}

const Value* FieldNamed(const model::Fields& fields, std::string_view name) {
  const auto found = std::ranges::find(fields, name, &model::Field::name);
  return found == fields.end() ? nullptr : &found->value;
}

// "<cursor>:<database>.<collection>", the place where a page ended.
struct CursorPlace {
  int64_t id = 0;
  std::string database;
  std::string collection;
};

std::optional<CursorPlace> PlaceFrom(std::string_view text) {
  CursorPlace place;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), place.id);
  if (error != std::errc() || end == text.data() + text.size() || *end != ':') return std::nullopt;
  const std::string_view name(end + 1, text.data() + text.size());
  const size_t dot = name.find('.');
  if (dot == std::string_view::npos) return std::nullopt;
  place.database = name.substr(0, dot);
  place.collection = name.substr(dot + 1);
  return place;
}

// Pages are as large as was asked for, and what a text says of batches does not count.
void SetBatch(model::Fields& command, size_t items_max) {
  const Value size = Value::Int32(static_cast<int32_t>(items_max));
  const std::string& name = command.front().name;
  if (name == "find" || name == "getMore") {
    std::erase_if(command, [](const model::Field& field) { return field.name == "batchSize"; });
    command.push_back({"batchSize", size});
  } else if (name == "aggregate" || name == "listCollections" || name == "listIndexes") {
    std::erase_if(command, [](const model::Field& field) { return field.name == "cursor"; });
    command.push_back({"cursor", Value::Object({{"batchSize", size}})});
  }
}

RunnerResult ResultOf(model::DocumentView reply, RequestUnits charge) {
  RunnerResult result;
  result.charge = charge;
  const auto cursor = reply.Find("cursor");
  if (!cursor.has_value() || cursor->kind() != Kind::kObject) {
    if (const auto values = reply.Find("values");
        values.has_value() && values->kind() == Kind::kArray) {
      for (const model::ElementView value : values->AsDocument())
        result.documents.push_back(model::ToJson(value.ToValue()));
      return result;
    }
    result.documents.push_back(model::ToJson(reply));
    return result;
  }
  const model::DocumentView found = cursor->AsDocument();
  for (const std::string_view name : {"firstBatch", "nextBatch"}) {
    const auto batch = found.Find(name);
    if (!batch.has_value() || batch->kind() != Kind::kArray) continue;
    for (const model::ElementView document : batch->AsDocument())
      result.documents.push_back(model::ToJson(document.ToValue()));
  }
  const Value id = found.Get("id");
  const Value name = found.Get("ns");
  if (id.kind() == Kind::kInt64 && id.AsInteger() != 0 && name.kind() == Kind::kString)
    result.continuation = fmt::format("{}:{}", id.AsInteger(), name.AsString());
  return result;
}

}  // namespace

query::RunnerOutcome<MongoQueryRunner::Ran> MongoQueryRunner::Execute(const RunnerRequest& asked,
                                                                      model::Fields command) {
  const auto message = [&] {
    auto made = std::make_unique<Message>();
    std::erase_if(command, [](const model::Field& field) {
      return field.name == "$db" || field.name == "lsid" || field.name == "txnNumber";
    });
    command.push_back({"$db", Value::String(asked.database)});
    made->bytes = model::ToDocument(Value::Object(std::move(command))).bson();
    made->body = model::DocumentView::Trusted(made->bytes);
    return made;
  };
  const CommandEntry* const entry = commands_.Find(command.front().name);
  if (entry == nullptr)
    return std::unexpected(Invalid(fmt::format("no such command: '{}'", command.front().name)));
  auto client = std::make_shared<Client>();
  client->is_trusted = asked.may_write;
  Principal principal;
  principal.user = kExplorerUser;
  principal.database = "admin";
  principal.roles = {{asked.may_write ? "root" : "readAnyDatabase", "admin"}};
  client->principals.push_back(std::move(principal));
  const auto context =
      std::make_shared<CommandContext>(services_, std::move(client), message(), asked.context);
  context->owner = context->client->owner();
  if (Outcome checked = CheckCommand(*entry, *context); !checked.has_value())
    return std::unexpected(FailureOfMongo(checked.error()));
  CommandReply reply = [&] {
    const OperationEntry operation(services_.operations, context, services_.clock.Monotonic());
    return entry->handler(*context);
  }();
  if (!reply.has_value()) return std::unexpected(FailureOfMongo(reply.error()));
  return Ran{std::move(*reply).Finish(), context->charge};
}

query::RunnerOutcome<RunnerResult> MongoQueryRunner::Run(const RunnerRequest& asked) {
  RunnerRequest request = asked;
  model::Fields command;
  if (asked.continuation.empty()) {
    auto parsed = CommandFromText(asked.text);
    if (!parsed.has_value()) {
      RunnerFailure failure = Invalid(parsed.error().message);
      failure.position = parsed.error().position;
      return std::unexpected(std::move(failure));
    }
    command = parsed->AsFields();
    if (command.empty()) return std::unexpected(Invalid("a command has a name"));
    // A command may bring its own database.
    if (const Value* database = FieldNamed(command, "$db");
        database != nullptr && database->kind() == Kind::kString)
      request.database = database->AsString();
  } else {
    auto place = PlaceFrom(asked.continuation);
    if (!place.has_value())
      return std::unexpected(Invalid("the continuation is not one of this server's"));
    request.database = std::move(place->database);
    command = {{"getMore", Value::Int64(place->id)},
               {"collection", Value::String(std::move(place->collection))}};
  }
  if (request.database.empty()) return std::unexpected(Invalid("name the database"));
  SetBatch(command, asked.items_max);
  auto ran = Execute(request, std::move(command));
  if (!ran.has_value()) return std::unexpected(std::move(ran).error());
  // Writes tell of single documents that they could not change beside what they did.
  const auto failures = ran->reply.view().Find("writeErrors");
  if (failures.has_value() && failures->kind() == Kind::kArray) {
    for (const model::ElementView failure : failures->AsDocument()) {
      const Value text = failure.AsDocument().Get("errmsg");
      const Value code = failure.AsDocument().Get("code");
      MongoError error;
      if (code.kind() == Kind::kInt32) error.code = static_cast<int32_t>(code.AsInteger());
      if (text.kind() == Kind::kString) error.message = text.AsString();
      return std::unexpected(FailureOfMongo(error));
    }
  }
  return ResultOf(ran->reply.view(), ran->charge);
}

query::RunnerOutcome<std::string> MongoQueryRunner::Plan(const RunnerRequest& asked) {
  auto parsed = CommandFromText(asked.text);
  if (!parsed.has_value()) {
    RunnerFailure failure = Invalid(parsed.error().message);
    failure.position = parsed.error().position;
    return std::unexpected(std::move(failure));
  }
  model::Fields explain = {{"explain", *std::move(parsed)},
                           {"verbosity", Value::String("queryPlanner")}};
  auto ran = Execute(asked, std::move(explain));
  if (!ran.has_value()) return std::unexpected(std::move(ran).error());
  return model::ToJson(ran->reply.view());
}

}  // namespace orrery::mongo
