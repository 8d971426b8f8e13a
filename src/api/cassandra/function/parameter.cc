#include "api/cassandra/function/parameter.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "api/cassandra/types/arithmetic.h"

namespace orrery::cassandra {

Parameter Parameter::OneOf(std::vector<TypeKind> kinds) {
  Parameter parameter(Family::kOneOf);
  parameter.kinds_ = std::move(kinds);
  return parameter;
}
Parameter Parameter::Any() { return Parameter(Family::kAny); }
Parameter Parameter::AnyOrReceiver() { return Parameter(Family::kAnyOrReceiver); }
Parameter Parameter::Collection() { return Parameter(Family::kCollection); }
Parameter Parameter::SetOrList() { return Parameter(Family::kSetOrList); }
Parameter Parameter::NumericSetOrList() { return Parameter(Family::kNumericSetOrList); }
Parameter Parameter::Map() { return Parameter(Family::kMap); }
Parameter Parameter::FloatVector() { return Parameter(Family::kFloatVector); }

Parameter Parameter::Optional() && {
  optional_ = true;
  return std::move(*this);
}

Parameter Parameter::OrTypeOf(size_t index) && {
  other_ = index;
  return std::move(*this);
}

Parameter Parameter::TypeOf(size_t index) && {
  other_ = index;
  prefers_other_ = true;
  return std::move(*this);
}

std::string Parameter::FamilyText() const {
  switch (family_) {
    case Family::kOneOf: {
      std::vector<std::string> names;
      for (const TypeKind kind : kinds_) {
        names.push_back(Type::Native(kind)->CqlName());
        if (kind == TypeKind::kText && kinds_.size() > 1) names.emplace_back("varchar");
      }
      return names.size() == 1 ? names[0] : fmt::format("[{}]", fmt::join(names, "|"));
    }
    case Family::kAny:
    case Family::kAnyOrReceiver:
      return "any";
    case Family::kCollection:
      return "collection";
    case Family::kSetOrList:
      return "set_or_list";
    case Family::kNumericSetOrList:
      return "numeric_set_or_list";
    case Family::kMap:
      return "map";
    case Family::kFloatVector:
      return "vector<float, n>";
  }
  return "";
}

std::string Parameter::Text() const {
  return optional_ ? fmt::format("[{}]", FamilyText()) : FamilyText();
}

TypePtr Parameter::OwnType(const Argument& argument, const TypePtr& receiver) const {
  if (family_ == Family::kFloatVector && argument.literal_size.has_value()) {
    auto vector = Type::Vector(Type::Native(TypeKind::kFloat), *argument.literal_size);
    return vector.has_value() ? *vector : nullptr;
  }
  if (argument.type != nullptr) return argument.type;
  switch (family_) {
    case Family::kOneOf:
      return Type::Native(kinds_[0]);
    case Family::kAnyOrReceiver:
      return receiver;
    default:
      return nullptr;
  }
}

TypePtr Parameter::InferType(const Argument& argument, const TypePtr& receiver,
                             const TypeList& known) const {
  const TypePtr other = other_.has_value() && *other_ < known.size() ? known[*other_] : nullptr;
  if (prefers_other_ && other != nullptr) return other;
  const TypePtr own = OwnType(argument, receiver);
  return own != nullptr ? own : other;
}

bool Parameter::Accepts(const Type& type) const {
  const bool is_sequence = type.kind() == TypeKind::kSet || type.kind() == TypeKind::kList;
  switch (family_) {
    case Family::kOneOf:
      return std::ranges::any_of(kinds_, [&](TypeKind kind) {
        return TestAssignment(type, *Type::Native(kind)) != Assignability::kNot;
      });
    case Family::kAny:
    case Family::kAnyOrReceiver:
      return true;
    case Family::kCollection:
      return type.is_collection();
    case Family::kSetOrList:
      return is_sequence;
    case Family::kNumericSetOrList:
      return is_sequence && IsNumeric(type.element());
    case Family::kMap:
      return type.kind() == TypeKind::kMap;
    case Family::kFloatVector:
      return type.kind() == TypeKind::kVector && type.element().kind() == TypeKind::kFloat;
  }
  return false;
}

std::string Parameter::Requirement() const {
  switch (family_) {
    case Family::kSetOrList:
      return "a set or list argument";
    case Family::kNumericSetOrList:
      return "a numeric set/list argument";
    case Family::kCollection:
      return "a collection argument";
    case Family::kMap:
      return "a map argument";
    case Family::kFloatVector:
      return "a float vector argument";
    default:
      return fmt::format("an argument of type {}", Text());
  }
}

Status Parameter::Check(const std::string& function, const Argument& argument,
                        const Type& type) const {
  if (Accepts(type)) return {};
  return Fail(Code::kInvalidArgument,
              fmt::format("Function {} requires {}, but found argument {} of type {}", function,
                          Requirement(), argument.text, type.CqlName()));
}

}  // namespace orrery::cassandra
