// A Parameter says which arguments a function template takes in one place: any of a family of
// types. Cassandra's names for the families are part of its error texts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "api/cassandra/function/argument.h"
#include "api/cassandra/types/type.h"
#include "base/status.h"

namespace orrery::cassandra {

class Parameter {
 public:
  // One of these native types, or what is assignable to one; the first where the argument has none.
  static Parameter OneOf(std::vector<TypeKind> kinds);
  static Parameter Any();
  // The type that receives the result, where the argument has none.
  static Parameter AnyOrReceiver();
  static Parameter Collection();
  static Parameter SetOrList();
  static Parameter NumericSetOrList();
  static Parameter Map();
  static Parameter FloatVector();

  // The same, but the argument may be left out.
  Parameter Optional() &&;
  // The same, but an argument without a type has that of argument `index`.
  Parameter OrTypeOf(size_t index) &&;
  // The same, but always of the type of argument `index` when that has one.
  Parameter TypeOf(size_t index) &&;

  bool is_optional() const { return optional_; }
  // "[text]", "numeric_set_or_list".
  std::string Text() const;

  // The type to take the argument as; null when it cannot be told. `known` are the types found so
  // far for all arguments, null where none; `receiver` may be null.
  TypePtr InferType(const Argument& argument, const TypePtr& receiver, const TypeList& known) const;

  // kInvalidArgument, with the function's name, when the type is not of the family.
  Status Check(const std::string& function, const Argument& argument, const Type& type) const;

 private:
  enum class Family : uint8_t {
    kOneOf,
    kAny,
    kAnyOrReceiver,
    kCollection,
    kSetOrList,
    kNumericSetOrList,
    kMap,
    kFloatVector,
  };

  explicit Parameter(Family family) : family_(family) {}
  TypePtr OwnType(const Argument& argument, const TypePtr& receiver) const;
  bool Accepts(const Type& type) const;
  // "requires a map argument".
  std::string Requirement() const;
  std::string FamilyText() const;

  Family family_;
  std::vector<TypeKind> kinds_;  // of kOneOf
  bool optional_ = false;
  std::optional<size_t> other_;  // the argument whose type it may have
  bool prefers_other_ = false;
};

}  // namespace orrery::cassandra
