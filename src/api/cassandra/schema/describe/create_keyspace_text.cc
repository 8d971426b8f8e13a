#include "api/cassandra/schema/describe/create_keyspace_text.h"

#include <fmt/format.h>

#include "api/cassandra/parser/print/print.h"
#include "api/cassandra/schema/describe/cql_text.h"
#include "api/cassandra/schema/describe/options_text.h"

namespace orrery::cassandra {
namespace {

constexpr std::string_view kLocator = "org.apache.cassandra.locator.";
constexpr std::string_view kFrozen = "frozen<";

// Functions take no frozen types, and a tuple's name says that it is one.
std::string FunctionTypeText(const Type& type) {
  std::string text = type.CqlName();
  if (type.kind() != TypeKind::kTuple || !text.starts_with(kFrozen)) return text;
  return text.substr(kFrozen.size(), text.size() - kFrozen.size() - 1);
}

std::string ReplicationText(const OptionMap& replication) {
  const auto named = replication.find("class");
  std::string name = named == replication.end() ? "" : named->second;
  if (name.starts_with(kLocator)) name.erase(0, kLocator.size());
  std::string text = "{'class': " + PrintString(name);
  for (const auto& [option, value] : replication) {
    if (option != "class") text += fmt::format(", {}: {}", PrintString(option), PrintString(value));
  }
  return text + "}";
}

std::string VirtualKeyspaceText(const Keyspace& keyspace) {
  const std::string name = PrintName(keyspace.name);
  return fmt::format(
      "/*\nWarning: Keyspace {0} is a virtual keyspace and cannot be recreated with CQL.\n"
      "Structure, for reference:\nVIRTUAL KEYSPACE {0};\n*/",
      name);
}

// Between dollars unless there are some in it.
std::string BodyText(const std::string& body) {
  return body.contains("$$") || body.ends_with('$') ? PrintString(body) : "$$" + body + "$$";
}

}  // namespace

std::string CreateKeyspaceText(const Keyspace& keyspace) {
  if (keyspace.replication.empty()) return VirtualKeyspaceText(keyspace);
  std::string throughput;
  if (keyspace.database != nullptr) throughput = ThroughputText(keyspace.database->throughput);
  return fmt::format("CREATE KEYSPACE {} WITH replication = {}  AND durable_writes = {}{}{};",
                     PrintName(keyspace.name), ReplicationText(keyspace.replication),
                     keyspace.durable_writes, throughput.empty() ? "" : " AND ", throughput);
}

std::string CreateTypeText(const Type& type) {
  const UserTypeDefinition& udt = type.udt();
  CqlText text;
  text.Add("CREATE TYPE ").Name(udt.keyspace, udt.name).Add(" (").NewLine().Indent();
  for (size_t i = 0; i < udt.field_names.size(); ++i) {
    if (i > 0) text.Add(",").NewLine();
    text.Name(udt.field_names[i]).Add(" ").Add(udt.field_types[i]->CqlName());
  }
  text.NewLine().Outdent().Add(");");
  return std::move(text).Finish();
}

std::string CreateFunctionText(const UserFunction& function) {
  CqlText text;
  text.Add("CREATE FUNCTION ").Name(function.keyspace, function.name).Add("(");
  for (size_t i = 0; i < function.argument_names.size(); ++i) {
    text.Add(i > 0 ? ", " : "").Name(function.argument_names[i]);
    text.Add(" ").Add(FunctionTypeText(*function.argument_types[i]));
  }
  text.Add(")").NewLine().Indent();
  text.Add(function.called_on_null_input ? "CALLED" : "RETURNS NULL").Add(" ON NULL INPUT");
  text.NewLine().Add("RETURNS ").Add(FunctionTypeText(*function.return_type));
  text.NewLine().Add("LANGUAGE ").Add(function.language);
  text.NewLine().Add("AS ").Add(BodyText(function.body)).Add(";");
  return std::move(text).Finish();
}

std::string CreateAggregateText(const UserAggregate& aggregate) {
  CqlText text;
  text.Add("CREATE AGGREGATE ").Name(aggregate.keyspace, aggregate.name).Add("(");
  for (size_t i = 0; i < aggregate.argument_types.size(); ++i)
    text.Add(i > 0 ? ", " : "").Add(FunctionTypeText(*aggregate.argument_types[i]));
  text.Add(")").NewLine().Indent();
  text.Add("SFUNC ").Name(aggregate.state_function);
  text.NewLine().Add("STYPE ").Add(FunctionTypeText(*aggregate.state_type));
  if (aggregate.final_function.has_value())
    text.NewLine().Add("FINALFUNC ").Name(*aggregate.final_function);
  if (aggregate.initial_condition.has_value())
    text.NewLine().Add("INITCOND ").Add(*aggregate.initial_condition);
  return std::move(text.Add(";")).Finish();
}

std::string SignatureName(std::string_view name, const TypeList& argument_types) {
  std::string types;
  for (const TypePtr& type : argument_types) {
    if (!types.empty()) types += ", ";
    types += FunctionTypeText(*type);
  }
  return fmt::format("{}({})", PrintName(name), types);
}

}  // namespace orrery::cassandra
