#include "api/mongo/shell/shell_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace orrery::mongo {
namespace {

using model::Fields;
using model::Kind;
using model::Value;
using model::Values;

Value EmptyObject() { return Value::Object({}); }

// The argument at a place; an empty object where there is none.
Value ArgumentOf(const ShellCall& call, size_t place) {
  return place < call.arguments.size() ? call.arguments[place] : EmptyObject();
}

Status CheckCount(const ShellCall& call, size_t least, size_t most) {
  if (call.arguments.size() >= least && call.arguments.size() <= most) return {};
  return Fail(Code::kInvalidArgument,
              least == most ? fmt::format("{}() takes {} arguments, not {}", call.name, least,
                                          call.arguments.size())
                            : fmt::format("{}() takes {} to {} arguments, not {}", call.name, least,
                                          most, call.arguments.size()));
}

Result<Fields> ObjectOf(const ShellCall& call, size_t place) {
  const Value argument = ArgumentOf(call, place);
  if (argument.kind() == Kind::kObject) return argument.AsFields();
  return Fail(Code::kInvalidArgument,
              fmt::format("argument {} of {}() must be an object", place + 1, call.name));
}

void Append(Fields& command, std::string name, Value value) {
  command.push_back({std::move(name), std::move(value)});
}

// Options that commands have under the same name.
void AppendOptions(Fields& command, const Fields& options) {
  for (const auto& [name, value] : options) Append(command, name, value);
}

struct Modifier {
  std::string_view call;
  std::string_view field;
};
constexpr std::array<Modifier, 8> kModifiers = {{{"sort", "sort"},
                                                 {"limit", "limit"},
                                                 {"skip", "skip"},
                                                 {"project", "projection"},
                                                 {"projection", "projection"},
                                                 {"hint", "hint"},
                                                 {"collation", "collation"},
                                                 {"maxTimeMS", "maxTimeMS"}}};

Result<Value> FindCommand(const ShellStatement& statement) {
  const ShellCall& first = statement.calls.front();
  ORRERY_TRY(CheckCount(first, 0, 2));
  Fields command;
  Append(command, "find", Value::String(statement.collection));
  Append(command, "filter", ArgumentOf(first, 0));
  if (first.arguments.size() > 1) Append(command, "projection", first.arguments[1]);
  if (first.name == "findOne") {
    Append(command, "limit", Value::Int32(1));
    Append(command, "singleBatch", Value::Bool(true));
  }
  for (size_t i = 1; i < statement.calls.size(); ++i) {
    const ShellCall& call = statement.calls[i];
    if (call.name == "toArray" || call.name == "pretty") continue;
    if (call.name == "batchSize") {
      ORRERY_TRY(CheckCount(call, 1, 1));
      continue;  // pages are as large as was asked for beside the text
    }
    if (call.name == "count" && i + 1 == statement.calls.size()) {
      Fields count;
      Append(count, "count", Value::String(statement.collection));
      Append(count, "query", ArgumentOf(first, 0));
      return Value::Object(std::move(count));
    }
    if (call.name == "explain" && i + 1 == statement.calls.size()) {
      Fields explain;
      Append(explain, "explain", Value::Object(std::move(command)));
      if (!call.arguments.empty()) Append(explain, "verbosity", call.arguments[0]);
      return Value::Object(std::move(explain));
    }
    const auto found = std::ranges::find(kModifiers, call.name, &Modifier::call);
    if (found == kModifiers.end()) {
      return Fail(Code::kInvalidArgument,
                  fmt::format("a find() has no {}() here; it has sort, limit, skip, projection, "
                              "hint, collation, maxTimeMS, count and explain",
                              call.name));
    }
    ORRERY_TRY(CheckCount(call, 1, 1));
    std::erase_if(command, [&](const model::Field& field) { return field.name == found->field; });
    Append(command, std::string(found->field), call.arguments[0]);
  }
  return Value::Object(std::move(command));
}

Result<Value> AggregateCommand(const ShellStatement& statement) {
  const ShellCall& call = statement.calls.front();
  Value pipeline = ArgumentOf(call, 0);
  Fields options;
  if (pipeline.kind() == Kind::kArray) {
    ORRERY_TRY(CheckCount(call, 1, 2));
    ORRERY_ASSIGN(options, ObjectOf(call, 1));
  } else {
    pipeline = Value::Array(call.arguments);  // stages one after the other
  }
  Fields command;
  if (statement.collection.empty()) {
    Append(command, "aggregate", Value::Int32(1));
  } else {
    Append(command, "aggregate", Value::String(statement.collection));
  }
  Append(command, "pipeline", std::move(pipeline));
  Append(command, "cursor", EmptyObject());
  AppendOptions(command, options);
  return Value::Object(std::move(command));
}

Result<Value> CountCommand(const ShellStatement& statement) {
  const ShellCall& call = statement.calls.front();
  ORRERY_TRY(CheckCount(call, 0, 2));
  Fields command;
  Append(command, "count", Value::String(statement.collection));
  if (call.name == "countDocuments") Append(command, "query", ArgumentOf(call, 0));
  return Value::Object(std::move(command));
}

Result<Value> DistinctCommand(const ShellStatement& statement) {
  const ShellCall& call = statement.calls.front();
  ORRERY_TRY(CheckCount(call, 1, 2));
  Fields command;
  Append(command, "distinct", Value::String(statement.collection));
  Append(command, "key", call.arguments[0]);
  Append(command, "query", ArgumentOf(call, 1));
  return Value::Object(std::move(command));
}

Result<Value> InsertCommand(const ShellStatement& statement) {
  const ShellCall& call = statement.calls.front();
  ORRERY_TRY(CheckCount(call, 1, 2));
  Value documents = call.arguments[0];
  if (documents.kind() != Kind::kArray) documents = Value::Array({std::move(documents)});
  Fields command;
  Append(command, "insert", Value::String(statement.collection));
  Append(command, "documents", std::move(documents));
  ORRERY_ASSIGN(const Fields options, ObjectOf(call, 1));
  AppendOptions(command, options);
  return Value::Object(std::move(command));
}

Result<Value> UpdateCommand(const ShellStatement& statement) {
  const ShellCall& call = statement.calls.front();
  ORRERY_TRY(CheckCount(call, 2, 3));
  const Value& change = call.arguments[1];
  const bool is_change = change.kind() == Kind::kArray ||
                         (change.kind() == Kind::kObject && !change.AsFields().empty() &&
                          change.AsFields().front().name.starts_with('$'));
  if (is_change == (call.name == "replaceOne")) {
    return Fail(Code::kInvalidArgument,
                is_change
                    ? "replaceOne() takes a whole document, without $set and its like"
                    : fmt::format("{}() takes a change such as {{$set: {{..}}}}; replaceOne() "
                                  "a whole document",
                                  call.name));
  }
  Fields update;
  Append(update, "q", call.arguments[0]);
  Append(update, "u", change);
  if (call.name == "updateMany") Append(update, "multi", Value::Bool(true));
  ORRERY_ASSIGN(const Fields options, ObjectOf(call, 2));
  AppendOptions(update, options);
  Fields command;
  Append(command, "update", Value::String(statement.collection));
  Append(command, "updates", Value::Array({Value::Object(std::move(update))}));
  return Value::Object(std::move(command));
}

Result<Value> DeleteCommand(const ShellStatement& statement) {
  const ShellCall& call = statement.calls.front();
  ORRERY_TRY(CheckCount(call, 1, 2));
  Fields removal;
  Append(removal, "q", call.arguments[0]);
  Append(removal, "limit", Value::Int32(call.name == "deleteOne" ? 1 : 0));
  ORRERY_ASSIGN(const Fields options, ObjectOf(call, 1));
  AppendOptions(removal, options);
  Fields command;
  Append(command, "delete", Value::String(statement.collection));
  Append(command, "deletes", Value::Array({Value::Object(std::move(removal))}));
  return Value::Object(std::move(command));
}

// As the shell names it: {a: 1, b: -1} is a_1_b_-1.
std::string IndexName(const Fields& keys) {
  std::string name;
  for (const auto& [field, order] : keys) {
    if (!name.empty()) name += '_';
    name += field + '_';
    name += order.kind() == Kind::kString  ? order.AsString()
            : order.kind() == Kind::kInt32 ? std::to_string(order.AsInteger())
                                           : "1";
  }
  return name;
}

Result<Value> CreateIndexCommand(const ShellStatement& statement) {
  const ShellCall& call = statement.calls.front();
  ORRERY_TRY(CheckCount(call, 1, 2));
  ORRERY_ASSIGN(const Fields keys, ObjectOf(call, 0));
  ORRERY_ASSIGN(const Fields options, ObjectOf(call, 1));
  Fields index;
  Append(index, "key", call.arguments[0]);
  if (std::ranges::find(options, "name", &model::Field::name) == options.end())
    Append(index, "name", Value::String(IndexName(keys)));
  AppendOptions(index, options);
  Fields command;
  Append(command, "createIndexes", Value::String(statement.collection));
  Append(command, "indexes", Value::Array({Value::Object(std::move(index))}));
  return Value::Object(std::move(command));
}

// {command: collection}
Result<Value> PlainCommand(std::string_view command, const ShellStatement& statement) {
  ORRERY_TRY(CheckCount(statement.calls.front(), 0, 0));
  Fields fields;
  Append(fields, std::string(command), Value::String(statement.collection));
  return Value::Object(std::move(fields));
}

Result<Value> DatabaseCommand(const ShellStatement& statement) {
  const ShellCall& call = statement.calls.front();
  if (call.name == "runCommand" || call.name == "adminCommand") {
    ORRERY_TRY(CheckCount(call, 1, 1));
    if (call.arguments[0].kind() == Kind::kString) {
      Fields command;
      Append(command, call.arguments[0].AsString(), Value::Int32(1));
      return Value::Object(std::move(command));
    }
    return call.arguments[0];
  }
  Fields command;
  if (call.name == "aggregate") return AggregateCommand(statement);
  if (call.name == "getCollectionNames" || call.name == "getCollectionInfos") {
    Append(command, "listCollections", Value::Int32(1));
    return Value::Object(std::move(command));
  }
  if (call.name == "stats") {
    Append(command, "dbStats", Value::Int32(1));
    return Value::Object(std::move(command));
  }
  if (call.name == "dropDatabase") {
    Append(command, "dropDatabase", Value::Int32(1));
    return Value::Object(std::move(command));
  }
  if (call.name == "createCollection") {
    ORRERY_TRY(CheckCount(call, 1, 2));
    Append(command, "create", call.arguments[0]);
    ORRERY_ASSIGN(const Fields options, ObjectOf(call, 1));
    AppendOptions(command, options);
    return Value::Object(std::move(command));
  }
  return Fail(
      Code::kInvalidArgument,
      fmt::format("db.{}() is not known here; db.runCommand({{..}}) runs any command", call.name));
}

}  // namespace

Result<Value> CommandOf(const ShellStatement& statement) {
  if (statement.collection.empty()) return DatabaseCommand(statement);
  const std::string& name = statement.calls.front().name;
  if (name == "find" || name == "findOne") return FindCommand(statement);
  const bool may_follow = statement.calls.size() == 2 && (statement.calls[1].name == "toArray" ||
                                                          statement.calls[1].name == "pretty");
  if (statement.calls.size() > 1 && !may_follow) {
    return Fail(Code::kInvalidArgument,
                fmt::format("{}() has no {}()", name, statement.calls[1].name));
  }
  if (name == "aggregate") return AggregateCommand(statement);
  if (name == "countDocuments" || name == "estimatedDocumentCount") return CountCommand(statement);
  if (name == "distinct") return DistinctCommand(statement);
  if (name == "insertOne" || name == "insertMany") return InsertCommand(statement);
  if (name == "updateOne" || name == "updateMany" || name == "replaceOne")
    return UpdateCommand(statement);
  if (name == "deleteOne" || name == "deleteMany") return DeleteCommand(statement);
  if (name == "createIndex") return CreateIndexCommand(statement);
  if (name == "getIndexes") return PlainCommand("listIndexes", statement);
  if (name == "drop") return PlainCommand("drop", statement);
  if (name == "stats") return PlainCommand("collStats", statement);
  return Fail(Code::kInvalidArgument,
              fmt::format("{}() of a collection is not known here; db.runCommand({{..}}) runs any "
                          "command",
                          name));
}

ShellParsed<Value> CommandFromText(std::string_view text) {
  const size_t first = text.find_first_not_of(" \t\r\n");
  if (first != std::string_view::npos && text[first] == '{') {
    auto command = ParseShellValue(text);
    if (command.has_value() && command->kind() != Kind::kObject)
      return std::unexpected(ShellError{"a command is a document", 0});
    return command;
  }
  auto statement = ParseShellStatement(text);
  if (!statement.has_value()) return std::unexpected(std::move(statement).error());
  auto command = CommandOf(*statement);
  if (!command.has_value()) return std::unexpected(ShellError{command.error().message(), 0});
  if (command->kind() != Kind::kObject)
    return std::unexpected(ShellError{"a command is a document", 0});
  return *std::move(command);
}

}  // namespace orrery::mongo
