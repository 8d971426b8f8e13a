#include "api/cassandra/schema/ddl/signature.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "api/cassandra/parser/print/print.h"
#include "api/cassandra/schema/schema.h"

namespace orrery::cassandra {
namespace {

bool IsFrozen(const ast::RawType& type) {
  const auto* made = std::get_if<ast::ConstructedType>(&type.type);
  if (made == nullptr || made->constructor != ast::TypeConstructor::kFrozen) return false;
  const auto* inner = std::get_if<ast::ConstructedType>(&made->parameters[0].type);
  return inner == nullptr || inner->constructor != ast::TypeConstructor::kTuple;
}

template <typename Pointer>
Pointer Find(const std::vector<Pointer>& all, std::string_view name, const TypeList& arguments) {
  const auto found = std::ranges::find_if(all, [&](const Pointer& one) {
    return one->name == name && SameTypes(one->argument_types, arguments);
  });
  return found == all.end() ? nullptr : *found;
}

}  // namespace

bool IsFunctionName(std::string_view name) {
  return std::ranges::none_of(name, [](char c) { return c == '/' || c == '[' || c == ']'; });
}

CqlStatus RefuseFrozen(const ast::RawType& type, std::string_view what) {
  if (!IsFrozen(type)) return {};
  const std::string text = PrintType(type);
  return Invalid(fmt::format("{} '{}' cannot be frozen; remove frozen<> modifier from '{}'", what,
                             text, text));
}

CqlResult<TypeList> ArgumentTypes(const std::vector<ast::RawType>& raw, const Keyspace& keyspace) {
  TypeList types;
  for (const ast::RawType& type : raw) CQL_TRY(RefuseFrozen(type, "Argument"));
  for (const ast::RawType& type : raw) {
    CQL_ASSIGN(TypePtr resolved, ResolveType(type, keyspace));
    types.push_back(std::move(resolved));
  }
  return types;
}

bool SameTypes(const TypeList& a, const TypeList& b) {
  return std::ranges::equal(a, b, [](const TypePtr& x, const TypePtr& y) { return *x == *y; });
}

UserFunctionPtr FindFunction(const Keyspace& keyspace, std::string_view name,
                             const TypeList& arguments) {
  return Find(keyspace.functions, name, arguments);
}

UserAggregatePtr FindAggregate(const Keyspace& keyspace, std::string_view name,
                               const TypeList& arguments) {
  return Find(keyspace.aggregates, name, arguments);
}

std::string SignatureText(std::string_view keyspace, std::string_view name,
                          const std::vector<std::string>& arguments) {
  return fmt::format("{}.{}({})", keyspace, name, fmt::join(arguments, ", "));
}

std::vector<std::string> TypeNames(const TypeList& types) {
  std::vector<std::string> names;
  for (const TypePtr& type : types) names.push_back(type->CqlName());
  return names;
}

SchemaChange FunctionChange(SchemaChangeKind kind, SchemaTarget target, std::string keyspace,
                            std::string name, const TypeList& arguments) {
  return {kind, target, std::move(keyspace), std::move(name), TypeNames(arguments)};
}

CqlResult<Dropped> ReadDrop(const Keyspace* keyspace, std::string keyspace_name,
                            std::string_view kind, const ast::QualifiedName& name,
                            const ast::Signature& signature) {
  const std::string& text = name.name.text;
  Dropped dropped{keyspace_name, fmt::format("{}.{}", keyspace_name, text), std::nullopt};
  if (signature.has_value()) {
    std::vector<std::string> types;
    for (const ast::RawType& type : *signature) types.push_back(PrintType(type));
    dropped.whole_name = SignatureText(keyspace_name, text, types);
  }
  if (keyspace == nullptr) return dropped;
  const auto named = [&](const auto& one) { return one->name == text; };
  const auto overloads = std::ranges::count_if(keyspace->functions, named) +
                         std::ranges::count_if(keyspace->aggregates, named);
  if (!signature.has_value()) {
    if (overloads <= 1) return dropped;
    return Invalid(
        fmt::format("'DROP {0} {1}' matches multiple function definitions; specify the argument "
                    "types by issuing a statement like 'DROP {0} {1} (type, type, ...)'. You can "
                    "use cqlsh 'DESCRIBE {0} {1}' command to find all overloads",
                    kind, text));
  }
  CQL_ASSIGN(dropped.arguments, ArgumentTypes(*signature, *keyspace));
  return dropped;
}

}  // namespace orrery::cassandra
