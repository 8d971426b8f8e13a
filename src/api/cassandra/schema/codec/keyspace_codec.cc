#include "api/cassandra/schema/codec/keyspace_codec.h"

#include <fmt/format.h>

#include "api/cassandra/schema/codec/definition.h"
#include "api/cassandra/schema/codec/fields.h"
#include "api/cassandra/schema/codec/type_codec.h"
#include "base/murmur3.h"

namespace orrery::cassandra {
namespace {

using model::DocumentBuilder;

std::vector<std::string> TypeTexts(const TypeList& types) {
  std::vector<std::string> texts;
  for (const TypePtr& type : types) texts.push_back(type->CqlName());
  return texts;
}

void AppendTypes(DocumentBuilder& builder, const Keyspace& keyspace) {
  AppendObjects(builder, "types", keyspace.types, [&](const auto& named) {
    const auto& [name, type] = named;
    builder.AppendString("name", name);
    AppendStrings(builder, "fields", type->udt().field_names);
    AppendStrings(builder, "fieldTypes", TypeTexts(type->udt().field_types));
  });
}

void AppendFunctions(DocumentBuilder& builder, const Keyspace& keyspace) {
  AppendObjects(builder, "functions", keyspace.functions, [&](const UserFunctionPtr& function) {
    builder.AppendString("name", function->name);
    AppendStrings(builder, "arguments", function->argument_names);
    AppendStrings(builder, "argumentTypes", TypeTexts(function->argument_types));
    builder.AppendString("returns", function->return_type->CqlName())
        .AppendBool("calledOnNullInput", function->called_on_null_input)
        .AppendString("language", function->language)
        .AppendString("body", function->body);
  });
}

void AppendAggregates(DocumentBuilder& builder, const Keyspace& keyspace) {
  AppendObjects(builder, "aggregates", keyspace.aggregates, [&](const UserAggregatePtr& aggregate) {
    builder.AppendString("name", aggregate->name);
    AppendStrings(builder, "argumentTypes", TypeTexts(aggregate->argument_types));
    builder.AppendString("stateFunction", aggregate->state_function)
        .AppendString("stateType", aggregate->state_type->CqlName());
    if (aggregate->final_function.has_value())
      builder.AppendString("finalFunction", *aggregate->final_function);
    builder.AppendString("returns", aggregate->return_type->CqlName());
    if (aggregate->initial_condition.has_value())
      builder.AppendString("initialCondition", *aggregate->initial_condition);
  });
}

struct StoredType {
  std::string name;
  std::vector<std::string> fields;
  std::vector<std::string> field_types;
};

Result<TypePtr> MakeType(const StoredType& stored, const Keyspace& keyspace) {
  UserTypeDefinition definition{keyspace.name, stored.name, stored.fields, {}};
  for (const std::string& text : stored.field_types) {
    ORRERY_ASSIGN(TypePtr type, TypeFromText(text, keyspace));
    definition.field_types.push_back(std::move(type));
  }
  return Type::User(std::move(definition), Cells::kMulti);
}

// Each round makes those whose parts are there; a round that makes none ends it.
Status ReadTypes(const Fields& fields, Keyspace& keyspace) {
  std::vector<StoredType> waiting;
  ORRERY_ASSIGN(const std::vector<Fields> entries, fields.Objects("types"));
  for (const Fields& entry : entries) {
    StoredType type;
    ORRERY_ASSIGN(type.name, entry.String("name"));
    ORRERY_ASSIGN(type.fields, entry.Strings("fields"));
    ORRERY_ASSIGN(type.field_types, entry.Strings("fieldTypes"));
    if (type.fields.size() != type.field_types.size()) {
      return Fail(Code::kCorruption,
                  fmt::format("type '{}' has not as many types as fields", type.name));
    }
    waiting.push_back(std::move(type));
  }
  while (!waiting.empty()) {
    std::vector<StoredType> still;
    std::optional<Error> why;
    for (StoredType& stored : waiting) {
      auto made = MakeType(stored, keyspace);
      if (made.has_value()) {
        keyspace.types[stored.name] = *std::move(made);
      } else {
        why = Error(Code::kCorruption,
                    fmt::format("type '{}': {}", stored.name, made.error().message()));
        still.push_back(std::move(stored));
      }
    }
    if (still.size() == waiting.size()) return Fail(*std::move(why));
    waiting = std::move(still);
  }
  return {};
}

Result<TypeList> ReadTypeList(const Fields& entry, std::string_view name,
                              const Keyspace& keyspace) {
  TypeList types;
  ORRERY_ASSIGN(const std::vector<std::string> texts, entry.Strings(name));
  for (const std::string& text : texts) {
    ORRERY_ASSIGN(TypePtr type, TypeFromText(text, keyspace));
    types.push_back(std::move(type));
  }
  return types;
}

Result<TypePtr> ReadType(const Fields& entry, std::string_view name, const Keyspace& keyspace) {
  ORRERY_ASSIGN(const std::string text, entry.String(name));
  return TypeFromText(text, keyspace);
}

Status ReadFunctions(const Fields& fields, Keyspace& keyspace) {
  ORRERY_ASSIGN(const std::vector<Fields> entries, fields.Objects("functions"));
  for (const Fields& entry : entries) {
    auto function = std::make_shared<UserFunction>();
    function->keyspace = keyspace.name;
    ORRERY_ASSIGN(function->name, entry.String("name"));
    ORRERY_ASSIGN(function->argument_names, entry.Strings("arguments"));
    ORRERY_ASSIGN(function->argument_types, ReadTypeList(entry, "argumentTypes", keyspace));
    ORRERY_ASSIGN(function->return_type, ReadType(entry, "returns", keyspace));
    ORRERY_ASSIGN(function->called_on_null_input, entry.Bool("calledOnNullInput"));
    ORRERY_ASSIGN(function->language, entry.String("language"));
    ORRERY_ASSIGN(function->body, entry.String("body"));
    if (function->argument_names.size() != function->argument_types.size()) {
      return Fail(Code::kCorruption,
                  fmt::format("function '{}' has not as many types as arguments", function->name));
    }
    keyspace.functions.push_back(std::move(function));
  }
  return {};
}

Status ReadAggregates(const Fields& fields, Keyspace& keyspace) {
  ORRERY_ASSIGN(const std::vector<Fields> entries, fields.Objects("aggregates"));
  for (const Fields& entry : entries) {
    auto aggregate = std::make_shared<UserAggregate>();
    aggregate->keyspace = keyspace.name;
    ORRERY_ASSIGN(aggregate->name, entry.String("name"));
    ORRERY_ASSIGN(aggregate->argument_types, ReadTypeList(entry, "argumentTypes", keyspace));
    ORRERY_ASSIGN(aggregate->state_function, entry.String("stateFunction"));
    ORRERY_ASSIGN(aggregate->state_type, ReadType(entry, "stateType", keyspace));
    ORRERY_ASSIGN(aggregate->final_function, entry.OptionalString("finalFunction"));
    ORRERY_ASSIGN(aggregate->return_type, ReadType(entry, "returns", keyspace));
    ORRERY_ASSIGN(aggregate->initial_condition, entry.OptionalString("initialCondition"));
    keyspace.aggregates.push_back(std::move(aggregate));
  }
  return {};
}

Result<Keyspace> Decode(gateway::DatabaseRef database) {
  const Fields fields(database->extra->view());
  ORRERY_TRY(CheckVersion(fields));
  Keyspace keyspace;
  keyspace.name = database->name;
  ORRERY_ASSIGN(keyspace.durable_writes, fields.Bool("durableWrites"));
  ORRERY_ASSIGN(keyspace.replication, fields.Map("replication"));
  ORRERY_TRY(ReadTypes(fields, keyspace));
  ORRERY_TRY(ReadFunctions(fields, keyspace));
  ORRERY_TRY(ReadAggregates(fields, keyspace));
  keyspace.digest = Murmur3(database->extra->bson()).high;
  keyspace.database = std::move(database);
  return keyspace;
}

}  // namespace

model::Document EncodeKeyspace(const Keyspace& keyspace) {
  DocumentBuilder builder;
  AppendHead(builder);
  builder.AppendBool("durableWrites", keyspace.durable_writes);
  AppendMap(builder, "replication", keyspace.replication);
  AppendTypes(builder, keyspace);
  AppendFunctions(builder, keyspace);
  AppendAggregates(builder, keyspace);
  return std::move(builder).Finish();
}

Result<Keyspace> DecodeKeyspace(gateway::DatabaseRef database) {
  const std::string name = database->name;
  auto decoded = Decode(std::move(database));
  if (!decoded.has_value()) {
    return Fail(std::move(decoded).error().Annotate(
        fmt::format("the stored definition of keyspace '{}' cannot be read", name)));
  }
  return decoded;
}

}  // namespace orrery::cassandra
