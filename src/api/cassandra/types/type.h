// A Type is one CQL data type: a native one, or one built of others.
//
// It says what a type is and how it is named; what its bytes may be is validate.h, how they compare
// is compare.h, its name inside Cassandra's Java is marshal_name.h. A value of a type is its
// native-protocol encoding in a std::string; null has no bytes (std::nullopt).
//
// Immutable and shared by TypePtr, so thread-safe. Types nest at most kTypeDepthMax deep, which
// bounds every recursion over a type or over a value of one.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace orrery::cassandra {

enum class TypeKind : uint8_t {
  kAscii,
  kBigint,
  kBlob,
  kBoolean,
  kCounter,
  kDate,
  kDecimal,
  kDouble,
  kDuration,
  kEmpty,  // only the empty value; used inside the server
  kFloat,
  kInet,
  kInt,
  kSmallint,
  kText,  // varchar is another name for it
  kTime,
  kTimestamp,
  kTimeuuid,
  kTinyint,
  kUuid,
  kVarint,
  kList,
  kSet,
  kMap,
  kTuple,
  kUdt,
  kVector,
  // A Java class without a name in CQL. Of composites (composite.h) the components are known; the
  // values of all others are opaque bytes.
  kCustom,
};

// Says whether a collection or UDT is stored as one cell per element (and can be changed by
// element), or as a single value. Tuples, vectors and native types are always single values.
enum class Cells : uint8_t { kMulti, kFrozen };

inline constexpr int kTypeDepthMax = 32;
inline constexpr uint32_t kVectorDimensionMax = 8192;

class Type;
using TypePtr = std::shared_ptr<const Type>;
using TypeList = std::vector<TypePtr>;

// The fields of a UDT in their declared order; names and types have the same length.
struct UserTypeDefinition {
  std::string keyspace;
  std::string name;
  std::vector<std::string> field_names;
  TypeList field_types;
  friend bool operator==(const UserTypeDefinition& a, const UserTypeDefinition& b);
};

class Type {
 public:
  // REQUIRES: a native kind (kAscii to kVarint).
  static const TypePtr& Native(TypeKind kind);
  // By the lower-case name ("int", "varchar"); nullptr when no native type has it.
  static TypePtr NativeNamed(std::string_view name);

  // Each gives kInvalidArgument when Cassandra does not allow the parts (a counter in a collection,
  // a non-frozen collection in a non-frozen one, a duration in a set ...) or they nest too deep.
  // Types inside a frozen one become frozen too.
  static Result<TypePtr> List(TypePtr element, Cells cells);
  static Result<TypePtr> Set(TypePtr element, Cells cells);
  static Result<TypePtr> Map(TypePtr key, TypePtr value, Cells cells);
  static Result<TypePtr> Tuple(TypeList elements);
  static Result<TypePtr> User(UserTypeDefinition definition, Cells cells);
  static Result<TypePtr> Vector(TypePtr element, uint32_t dimension);
  static TypePtr Custom(std::string class_name);
  // The classes CompositeType and DynamicCompositeType. An alias is one character, and stands for
  // the parameter at its place. kInvalidArgument when they nest too deep, or nothing is composed.
  static Result<TypePtr> Composite(TypeList components);
  static Result<TypePtr> DynamicComposite(std::string aliases, TypeList types);

  TypeKind kind() const { return kind_; }
  bool is_native() const { return kind_ <= TypeKind::kVarint; }
  bool is_collection() const { return kind_ >= TypeKind::kList && kind_ <= TypeKind::kMap; }
  bool is_multi_cell() const { return multi_cell_; }
  bool is_composite() const { return composed_ == Composed::kByPosition; }
  bool is_dynamic_composite() const { return composed_ == Composed::kByAlias; }
  // Returns the nesting depth of the type; 1 for a native type.
  int depth() const { return depth_; }

  // Element of a list, set or vector; key and value of a map; elements or fields of a tuple or UDT.
  const TypeList& parameters() const { return udt_ ? udt_->field_types : parameters_; }
  const Type& element() const { return *parameters_[0]; }        // list, set, vector
  const Type& key() const { return *parameters_[0]; }            // map
  const Type& value() const { return *parameters_[1]; }          // map
  const UserTypeDefinition& udt() const { return *udt_; }        // UDT
  uint32_t dimension() const { return dimension_; }              // vector
  const std::string& class_name() const { return class_name_; }  // custom
  const std::string& aliases() const { return aliases_; }        // dynamic composite

  // As system_schema.columns.type has it: "int", "frozen<map<text, int>>", "frozen<tuple<int>>".
  std::string CqlName() const;

  // The bytes of every value, if all have the same number (the empty value aside): Cassandra's own
  // list, on which the bytes of a vector depend. Counters, tinyint, smallint, date and time have
  // none there.
  std::optional<size_t> FixedLength() const;

  bool ReferencesUserType(std::string_view keyspace, std::string_view name) const;
  bool ReferencesDuration() const;

  friend bool operator==(const Type& a, const Type& b);

 private:
  struct Private {};

 public:
  Type(Private, TypeKind kind) : kind_(kind) {}

 private:
  enum class Composed : uint8_t { kNot, kByPosition, kByAlias };

  static Result<TypePtr> Collection(TypeKind kind, TypeList parameters, Cells cells);
  static Status CheckCollection(const Type& type);

  TypeKind kind_;
  bool multi_cell_ = false;
  int depth_ = 1;
  uint32_t dimension_ = 0;
  TypeList parameters_;
  std::shared_ptr<const UserTypeDefinition> udt_;
  std::string class_name_;
  Composed composed_ = Composed::kNot;
  std::string aliases_;
};

// The same type as a single value; itself when it is one already.
TypePtr Freeze(const TypePtr& type);

}  // namespace orrery::cassandra
