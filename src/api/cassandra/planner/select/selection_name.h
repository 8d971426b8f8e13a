// Names a selected term without an alias in the result: Cassandra's own spelling, by which clients
// take columns ("count", "system.max(price)", "writetime(v)", "cast(a as text)"). Pure.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "api/cassandra/function/function_library.h"
#include "api/cassandra/parser/ast/restriction.h"
#include "api/cassandra/parser/ast/term.h"

namespace orrery::cassandra {

class SelectionNames {
 public:
  // A term's own type; null when it has none.
  using TypeOf = std::function<TypePtr(const ast::Term&)>;

  // Functions that are not native are of `keyspace` unless they say. Both must outlive it.
  SelectionNames(const FunctionLibrary& native, std::string_view keyspace, TypeOf type_of)
      : native_(native), keyspace_(keyspace), type_of_(std::move(type_of)) {}

  std::string NameOf(const ast::Term& term) const;
  // Returns whether it calls functions that users wrote: they may be slow.
  bool CallsUserFunction(const ast::Term& term) const;
  bool CallsUserFunction(const ast::WhereClause& where) const;

 private:
  bool IsNative(const ast::QualifiedName& function) const;
  std::string NameOfCall(const ast::FunctionCall& call) const;
  std::string NameOfAttribute(const ast::CellAttribute& attribute) const;
  std::string NameOfCast(const ast::Cast& cast) const;

  const FunctionLibrary& native_;
  const std::string_view keyspace_;
  const TypeOf type_of_;
};

}  // namespace orrery::cassandra
