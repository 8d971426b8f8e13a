#include "api/cassandra/types/type.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "api/cassandra/parser/print/print.h"
#include "api/cassandra/types/marshal_name.h"
#include "base/check.h"

namespace orrery::cassandra {
namespace {

constexpr size_t kNatives = static_cast<size_t>(TypeKind::kVarint) + 1;

// By TypeKind.
constexpr std::array<std::string_view, kNatives> kNativeNames = {
    "ascii",  "bigint",   "blob",      "boolean",  "counter", "date", "decimal",
    "double", "duration", "empty",     "float",    "inet",    "int",  "smallint",
    "text",   "time",     "timestamp", "timeuuid", "tinyint", "uuid", "varint"};

std::string JoinNames(const TypeList& types) {
  std::string names;
  for (const TypePtr& type : types) {
    if (!names.empty()) names += ", ";
    names += type->CqlName();
  }
  return names;
}

int DepthOver(const TypeList& parts) {
  int depth = 0;
  for (const TypePtr& part : parts) depth = std::max(depth, part->depth());
  return depth + 1;
}

Status CheckDepth(int depth) {
  if (depth <= kTypeDepthMax) return {};
  return Fail(Code::kInvalidArgument,
              fmt::format("types may be nested at most {} deep", kTypeDepthMax));
}

bool SameTypes(const TypeList& a, const TypeList& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const TypePtr& x, const TypePtr& y) { return x == y || *x == *y; });
}

void FreezeAll(TypeList& types) {
  for (TypePtr& type : types) type = Freeze(type);
}

}  // namespace

bool operator==(const UserTypeDefinition& a, const UserTypeDefinition& b) {
  return a.keyspace == b.keyspace && a.name == b.name && a.field_names == b.field_names &&
         SameTypes(a.field_types, b.field_types);
}

const TypePtr& Type::Native(TypeKind kind) {
  static const std::array<TypePtr, kNatives> natives = [] {
    std::array<TypePtr, kNatives> types;
    for (size_t i = 0; i < kNatives; ++i)
      types[i] = std::make_shared<const Type>(Private(), static_cast<TypeKind>(i));
    return types;
  }();
  ORRERY_CHECK(static_cast<size_t>(kind) < kNatives);
  return natives[static_cast<size_t>(kind)];
}

TypePtr Type::NativeNamed(std::string_view name) {
  if (name == "varchar") return Native(TypeKind::kText);
  const auto found = std::find(kNativeNames.begin(), kNativeNames.end(), name);
  if (found == kNativeNames.end()) return nullptr;
  return Native(static_cast<TypeKind>(found - kNativeNames.begin()));
}

Status Type::CheckCollection(const Type& type) {
  for (const TypePtr& part : type.parameters_) {
    if (part->kind() == TypeKind::kCounter) {
      return Fail(Code::kInvalidArgument,
                  "Counters are not allowed inside collections: " + type.CqlName());
    }
    if (part->is_multi_cell()) {
      return Fail(Code::kInvalidArgument,
                  fmt::format("Non-frozen {} are not allowed inside collections: {}",
                              part->is_collection() ? "collections" : "UDTs", type.CqlName()));
    }
  }
  if (type.parameters_[0]->kind() == TypeKind::kDuration && type.kind_ != TypeKind::kList) {
    return Fail(
        Code::kInvalidArgument,
        fmt::format("Durations are not allowed {}: {}",
                    type.kind_ == TypeKind::kSet ? "inside sets" : "as map keys", type.CqlName()));
  }
  return CheckDepth(type.depth_);
}

Result<TypePtr> Type::Collection(TypeKind kind, TypeList parameters, Cells cells) {
  auto type = std::make_shared<Type>(Private(), kind);
  type->multi_cell_ = cells == Cells::kMulti;
  type->depth_ = DepthOver(parameters);
  if (cells == Cells::kFrozen) FreezeAll(parameters);
  type->parameters_ = std::move(parameters);
  ORRERY_TRY(CheckCollection(*type));
  return type;
}

Result<TypePtr> Type::List(TypePtr element, Cells cells) {
  return Collection(TypeKind::kList, {std::move(element)}, cells);
}

Result<TypePtr> Type::Set(TypePtr element, Cells cells) {
  return Collection(TypeKind::kSet, {std::move(element)}, cells);
}

Result<TypePtr> Type::Map(TypePtr key, TypePtr value, Cells cells) {
  return Collection(TypeKind::kMap, {std::move(key), std::move(value)}, cells);
}

Result<TypePtr> Type::Tuple(TypeList elements) {
  for (const TypePtr& element : elements) {
    if (element->kind() == TypeKind::kCounter)
      return Fail(Code::kInvalidArgument, "Counters are not allowed inside tuples");
  }
  auto type = std::make_shared<Type>(Private(), TypeKind::kTuple);
  type->depth_ = DepthOver(elements);
  ORRERY_TRY(CheckDepth(type->depth_));
  FreezeAll(elements);
  type->parameters_ = std::move(elements);
  return type;
}

Result<TypePtr> Type::User(UserTypeDefinition definition, Cells cells) {
  ORRERY_CHECK(definition.field_names.size() == definition.field_types.size());
  for (const TypePtr& field : definition.field_types) {
    if (field->kind() == TypeKind::kCounter)
      return Fail(Code::kInvalidArgument, "A user type cannot contain counters");
    if (field->kind() == TypeKind::kUdt && field->is_multi_cell())
      return Fail(Code::kInvalidArgument, "A user type cannot contain non-frozen UDTs");
  }
  auto type = std::make_shared<Type>(Private(), TypeKind::kUdt);
  type->multi_cell_ = cells == Cells::kMulti;
  type->depth_ = DepthOver(definition.field_types);
  ORRERY_TRY(CheckDepth(type->depth_));
  if (cells == Cells::kFrozen) FreezeAll(definition.field_types);
  type->udt_ = std::make_shared<const UserTypeDefinition>(std::move(definition));
  return type;
}

Result<TypePtr> Type::Vector(TypePtr element, uint32_t dimension) {
  if (dimension == 0)
    return Fail(Code::kInvalidArgument, "vectors may only have positive dimensions; given 0");
  if (dimension > kVectorDimensionMax) {
    return Fail(Code::kInvalidArgument, fmt::format("vectors have at most {} dimensions; given {}",
                                                    kVectorDimensionMax, dimension));
  }
  if (element->kind() == TypeKind::kCounter)
    return Fail(Code::kInvalidArgument, "Counters are not allowed inside vectors");
  auto type = std::make_shared<Type>(Private(), TypeKind::kVector);
  type->depth_ = element->depth() + 1;
  ORRERY_TRY(CheckDepth(type->depth_));
  type->dimension_ = dimension;
  type->parameters_ = {Freeze(element)};
  return type;
}

TypePtr Type::Custom(std::string class_name) {
  auto type = std::make_shared<Type>(Private(), TypeKind::kCustom);
  type->class_name_ = std::move(class_name);
  return type;
}

Result<TypePtr> Type::Composite(TypeList components) {
  if (components.empty()) return Fail(Code::kInvalidArgument, "a CompositeType needs components");
  auto type = std::make_shared<Type>(Private(), TypeKind::kCustom);
  type->composed_ = Composed::kByPosition;
  type->depth_ = DepthOver(components);
  ORRERY_TRY(CheckDepth(type->depth_));
  FreezeAll(components);
  type->class_name_ = CompositeName(components);
  type->parameters_ = std::move(components);
  return type;
}

Result<TypePtr> Type::DynamicComposite(std::string aliases, TypeList types) {
  ORRERY_CHECK(aliases.size() == types.size());
  auto type = std::make_shared<Type>(Private(), TypeKind::kCustom);
  type->composed_ = Composed::kByAlias;
  type->depth_ = DepthOver(types);
  ORRERY_TRY(CheckDepth(type->depth_));
  FreezeAll(types);
  type->class_name_ = DynamicCompositeName(aliases, types);
  type->aliases_ = std::move(aliases);
  type->parameters_ = std::move(types);
  return type;
}

TypePtr Freeze(const TypePtr& type) {
  if (!type->is_multi_cell()) return type;
  // Only a collection or UDT is multi-cell, and what it holds was allowed when it was made.
  const TypeList& parts = type->parameters();
  Result<TypePtr> frozen = type;
  switch (type->kind()) {
    case TypeKind::kList:
      frozen = Type::List(parts[0], Cells::kFrozen);
      break;
    case TypeKind::kSet:
      frozen = Type::Set(parts[0], Cells::kFrozen);
      break;
    case TypeKind::kMap:
      frozen = Type::Map(parts[0], parts[1], Cells::kFrozen);
      break;
    default:
      frozen = Type::User(type->udt(), Cells::kFrozen);
      break;
  }
  ORRERY_CHECK(frozen.has_value());
  return *std::move(frozen);
}

std::string Type::CqlName() const {
  std::string name;
  switch (kind_) {
    case TypeKind::kList:
      name = fmt::format("list<{}>", JoinNames(parameters_));
      break;
    case TypeKind::kSet:
      name = fmt::format("set<{}>", JoinNames(parameters_));
      break;
    case TypeKind::kMap:
      name = fmt::format("map<{}>", JoinNames(parameters_));
      break;
    case TypeKind::kTuple:
      name = fmt::format("tuple<{}>", JoinNames(parameters_));
      break;
    case TypeKind::kUdt:
      // Not PrintName: a type may have the name of a native one, in quotes.
      name = PrintType({.position = {}, .type = ast::UserType{{"", {udt_->name, {}}}}});
      break;
    case TypeKind::kVector:
      return fmt::format("vector<{}, {}>", JoinNames(parameters_), dimension_);
    case TypeKind::kCustom:
      return PrintString(class_name_);
    default:
      return std::string(kNativeNames[static_cast<size_t>(kind_)]);
  }
  return multi_cell_ ? name : fmt::format("frozen<{}>", name);
}

std::optional<size_t> Type::FixedLength() const {
  switch (kind_) {
    case TypeKind::kEmpty:
      return 0;
    case TypeKind::kBoolean:
      return 1;
    case TypeKind::kFloat:
    case TypeKind::kInt:
      return 4;
    case TypeKind::kBigint:
    case TypeKind::kDouble:
    case TypeKind::kTimestamp:
      return 8;
    case TypeKind::kTimeuuid:
    case TypeKind::kUuid:
      return 16;
    case TypeKind::kVector:
      if (const auto length = element().FixedLength()) return *length * dimension_;
      return std::nullopt;
    default:
      return std::nullopt;
  }
}

bool Type::ReferencesUserType(std::string_view keyspace, std::string_view name) const {
  if (udt_ && udt_->keyspace == keyspace && udt_->name == name) return true;
  return std::any_of(parameters().begin(), parameters().end(),
                     [&](const TypePtr& part) { return part->ReferencesUserType(keyspace, name); });
}

bool Type::ReferencesDuration() const {
  if (kind_ == TypeKind::kDuration) return true;
  return std::any_of(parameters().begin(), parameters().end(),
                     [](const TypePtr& part) { return part->ReferencesDuration(); });
}

bool operator==(const Type& a, const Type& b) {
  if (&a == &b) return true;
  if (a.kind_ != b.kind_ || a.multi_cell_ != b.multi_cell_ || a.dimension_ != b.dimension_)
    return false;
  if (a.kind_ == TypeKind::kUdt) return a.udt_ == b.udt_ || *a.udt_ == *b.udt_;
  return a.class_name_ == b.class_name_ && a.composed_ == b.composed_ &&
         SameTypes(a.parameters_, b.parameters_);
}

}  // namespace orrery::cassandra
