// Functions and aggregates by name and argument types: what CREATE and DROP of both share.
#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "api/cassandra/parser/ast/function.h"
#include "api/cassandra/protocol/cql_result.h"
#include "api/cassandra/schema/ddl/schema_edit.h"
#include "api/cassandra/schema/keyspace.h"

namespace orrery::cassandra {

// Neither slashes nor anything else that permissions on functions are written with.
bool IsFunctionName(std::string_view name);

// `what` is "Argument", "Return type" or "State type". Types of functions are never written frozen.
CqlStatus RefuseFrozen(const ast::RawType& type, std::string_view what);

// The types of arguments, none of them written frozen.
CqlResult<TypeList> ArgumentTypes(const std::vector<ast::RawType>& raw, const Keyspace& keyspace);

bool SameTypes(const TypeList& a, const TypeList& b);

// Null when there is none. Functions and aggregates share their names.
UserFunctionPtr FindFunction(const Keyspace& keyspace, std::string_view name,
                             const TypeList& arguments);
UserAggregatePtr FindAggregate(const Keyspace& keyspace, std::string_view name,
                               const TypeList& arguments);

// "ks.f(int, text)".
std::string SignatureText(std::string_view keyspace, std::string_view name,
                          const std::vector<std::string>& arguments);
std::vector<std::string> TypeNames(const TypeList& types);

// Functions or aggregates, as a keyspace has them: by name, then argument types.
template <typename T>
using Overloads = std::vector<std::shared_ptr<const T>>;

template <typename T>
void InsertOverload(Overloads<T>& all, T added) {
  const auto key = [](const std::shared_ptr<const T>& one) {
    return std::pair(one->name, TypeNames(one->argument_types));
  };
  auto pointer = std::make_shared<const T>(std::move(added));
  const auto place = std::ranges::lower_bound(all, key(pointer), {}, key);
  all.insert(place, std::move(pointer));
}

SchemaChange FunctionChange(SchemaChangeKind kind, SchemaTarget target, std::string keyspace,
                            std::string name, const TypeList& arguments);

// The function or aggregate that a DROP means. `kind` is "FUNCTION" or "AGGREGATE".
struct Dropped {
  std::string keyspace;
  std::string whole_name;             // as the texts have it
  std::optional<TypeList> arguments;  // none: the only one of its name
};
CqlResult<Dropped> ReadDrop(const Keyspace* keyspace, std::string keyspace_name,
                            std::string_view kind, const ast::QualifiedName& name,
                            const ast::Signature& signature);

// Null when it is not among them.
template <typename T>
std::shared_ptr<const T> FindDropped(const Overloads<T>& all, std::string_view name,
                                     const Dropped& dropped) {
  const auto found = std::ranges::find_if(all, [&](const std::shared_ptr<const T>& one) {
    return one->name == name &&
           (!dropped.arguments.has_value() || SameTypes(one->argument_types, *dropped.arguments));
  });
  return found == all.end() ? nullptr : *found;
}

}  // namespace orrery::cassandra
