#include "api/cassandra/types/type_rewrite.h"

#include <functional>
#include <utility>

namespace orrery::cassandra {
namespace {

using Rewrite = std::function<Result<TypePtr>(const TypePtr&)>;

// `type` built again from its rewritten parts.
Result<TypePtr> Rebuild(const TypePtr& type, const Rewrite& rewrite) {
  TypeList parts;
  for (const TypePtr& part : type->parameters()) {
    ORRERY_ASSIGN(TypePtr made, rewrite(part));
    parts.push_back(std::move(made));
  }
  const Cells cells = type->is_multi_cell() ? Cells::kMulti : Cells::kFrozen;
  switch (type->kind()) {
    case TypeKind::kList:
      return Type::List(parts[0], cells);
    case TypeKind::kSet:
      return Type::Set(parts[0], cells);
    case TypeKind::kMap:
      return Type::Map(parts[0], parts[1], cells);
    case TypeKind::kTuple:
      return Type::Tuple(std::move(parts));
    case TypeKind::kVector:
      return Type::Vector(parts[0], type->dimension());
    case TypeKind::kCustom:
      if (type->is_composite()) return Type::Composite(std::move(parts));
      if (type->is_dynamic_composite())
        return Type::DynamicComposite(type->aliases(), std::move(parts));
      return type;
    case TypeKind::kUdt: {
      UserTypeDefinition definition = type->udt();
      definition.field_types = std::move(parts);
      return Type::User(std::move(definition), cells);
    }
    default:
      return type;
  }
}

}  // namespace

Result<TypePtr> ReplaceUserType(const TypePtr& type, const TypePtr& udt) {
  const UserTypeDefinition& target = udt->udt();
  if (!type->ReferencesUserType(target.keyspace, target.name)) return type;
  if (type->kind() == TypeKind::kUdt && type->udt().keyspace == target.keyspace &&
      type->udt().name == target.name) {
    return Type::User(target, type->is_multi_cell() ? Cells::kMulti : Cells::kFrozen);
  }
  return Rebuild(type, [&](const TypePtr& part) { return ReplaceUserType(part, udt); });
}

Result<TypePtr> ExpandUserTypes(const TypePtr& type) {
  if (type->kind() != TypeKind::kUdt) return Rebuild(type, ExpandUserTypes);
  TypeList fields;
  for (const TypePtr& field : type->udt().field_types) {
    ORRERY_ASSIGN(TypePtr expanded, ExpandUserTypes(field));
    fields.push_back(std::move(expanded));
  }
  return Type::Tuple(std::move(fields));
}

}  // namespace orrery::cassandra
