// ResolveType: from a type as written to a Type.
#include <fmt/format.h>

#include <algorithm>

#include "api/cassandra/parser/print/print.h"
#include "api/cassandra/schema/schema.h"
#include "api/cassandra/types/marshal_name.h"

namespace orrery::cassandra {
namespace {

class Resolver {
 public:
  explicit Resolver(const Keyspace& keyspace) : keyspace_(keyspace) {}

  // `cells` is what the surroundings ask for: within frozen<> everything is frozen, before any rule
  // about what may stand in a collection is applied.
  CqlResult<TypePtr> Resolve(const ast::RawType& raw, Cells cells) const {
    if (const auto* native = std::get_if<ast::NativeType>(&raw.type))
      return Type::NativeNamed(ast::NativeTypeName(*native));
    if (const auto* user = std::get_if<ast::UserType>(&raw.type)) return User(user->name, cells);
    if (const auto* custom = std::get_if<ast::CustomType>(&raw.type)) return Custom(*custom);
    return Constructed(raw, cells);
  }

 private:
  CqlResult<TypePtr> User(const ast::QualifiedName& name, Cells cells) const {
    if (!name.keyspace.empty() && name.keyspace != keyspace_.name) {
      return Invalid(
          fmt::format("Statement on keyspace {} cannot refer to a user type in keyspace {}; user "
                      "types can only be used in the keyspace they are defined in",
                      keyspace_.name, name.keyspace));
    }
    TypePtr found = keyspace_.FindType(name.name.text);
    if (found == nullptr)
      return Invalid(fmt::format("Unknown type {}.{}", keyspace_.name, name.name.text));
    return cells == Cells::kFrozen ? Freeze(found) : found;
  }

  CqlResult<TypePtr> Custom(const ast::CustomType& custom) const {
    auto parsed = ParseMarshalName(custom.class_name);
    if (!parsed.has_value()) {
      return Refuse(
          ErrorCode::kSyntaxError,
          fmt::format("Cannot parse type {}: {}", custom.class_name, parsed.error().message()));
    }
    CQL_TRY(CheckCustom(**parsed, custom));
    return *std::move(parsed);
  }

  // A class name may hold anything; a column may have only what the schema can write down.
  CqlStatus CheckCustom(const Type& type, const ast::CustomType& custom) const {
    const bool is_known = type.class_name() == kLexicalUuidClass || type.is_composite() ||
                          type.is_dynamic_composite();
    if (type.kind() == TypeKind::kCustom && !is_known) {
      return Refuse(ErrorCode::kSyntaxError,
                    fmt::format("Error setting type {}: Unable to find abstract-type class '{}'",
                                custom.class_name, type.class_name()));
    }
    if (type.kind() == TypeKind::kUdt) {
      const TypePtr known = keyspace_.FindType(type.udt().name);
      if (known == nullptr || *Freeze(known) != *Frozen(type)) {
        return Invalid(fmt::format("Unknown type {}.{}", type.udt().keyspace, type.udt().name));
      }
    }
    for (const TypePtr& part : type.parameters()) CQL_TRY(CheckCustom(*part, custom));
    return {};
  }

  static TypePtr Frozen(const Type& udt) {
    auto frozen = Type::User(udt.udt(), Cells::kFrozen);
    return frozen.has_value() ? *std::move(frozen) : nullptr;
  }

  CqlResult<TypePtr> Constructed(const ast::RawType& written, Cells cells) const {
    using ast::TypeConstructor;
    const auto& raw = std::get<ast::ConstructedType>(written.type);
    // The grammar lets it stand only around what can be frozen.
    if (raw.constructor == TypeConstructor::kFrozen)
      return Resolve(raw.parameters[0], Cells::kFrozen);
    const bool single =
        raw.constructor == TypeConstructor::kTuple || raw.constructor == TypeConstructor::kVector;
    TypeList parts;
    for (const ast::RawType& parameter : raw.parameters) {
      CQL_ASSIGN(TypePtr part, Resolve(parameter, single ? Cells::kFrozen : cells));
      if (part->is_multi_cell()) {
        return Invalid(fmt::format("Non-frozen {} are not allowed inside collections: {}",
                                   part->is_collection() ? "collections" : "UDTs",
                                   PrintType(written)));
      }
      parts.push_back(std::move(part));
    }
    return Made(raw, std::move(parts), cells);
  }

  static CqlResult<TypePtr> Made(const ast::ConstructedType& raw, TypeList parts, Cells cells) {
    using ast::TypeConstructor;
    Result<TypePtr> made = nullptr;
    switch (raw.constructor) {
      case TypeConstructor::kList:
        made = Type::List(std::move(parts[0]), cells);
        break;
      case TypeConstructor::kSet:
        made = Type::Set(std::move(parts[0]), cells);
        break;
      case TypeConstructor::kMap:
        made = Type::Map(std::move(parts[0]), std::move(parts[1]), cells);
        break;
      case TypeConstructor::kTuple:
      case TypeConstructor::kFrozen:
        made = Type::Tuple(std::move(parts));
        break;
      case TypeConstructor::kVector:
        if (raw.dimension <= 0) {
          return Invalid(
              fmt::format("vectors may only have positive dimensions; given {}", raw.dimension));
        }
        made = Type::Vector(std::move(parts[0]), static_cast<uint32_t>(raw.dimension));
        break;
    }
    CQL_TRY(made);
    return *std::move(made);
  }

  const Keyspace& keyspace_;
};

}  // namespace

CqlResult<TypePtr> ResolveType(const ast::RawType& type, const Keyspace& keyspace) {
  return Resolver(keyspace).Resolve(type, Cells::kMulti);
}

}  // namespace orrery::cassandra
