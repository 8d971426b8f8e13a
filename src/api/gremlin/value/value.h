// A Value is anything that a Gremlin traversal can hold: scalars, collections, graph elements, and
// what only programs contain (predicates, enumeration constants, nested traversals).
//
// Copies are cheap: everything larger than a scalar is shared and immutable. relation.h says how
// two values compare, arithmetic.h how numbers combine, text.h how a value is written for people.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "model/value.h"

namespace orrery::gremlin {

enum class Type : uint8_t {
  kNull,
  kBool,
  kByte,
  kShort,
  kInt,
  kLong,
  kBigInteger,
  kFloat,
  kDouble,
  kBigDecimal,
  kString,
  kUuid,
  kDate,      // milliseconds since 1970
  kDuration,  // milliseconds
  kBinary,
  kList,
  kSet,
  kMap,
  kBulkSet,  // a list on the wire of languages without bulk sets
  kVertex,
  kEdge,
  kVertexProperty,
  kProperty,
  kPath,
  kTree,
  kGraph,
  kMetrics,     // of profile(): a map with fixed keys
  kEnum,        // T.id, Order.desc, ...
  kPredicate,   // P, TextP
  kTraversal,   // a nested traversal
  kStrategy,    // new SubgraphStrategy(...), or a strategy's class
  kCardinality  // single(5), list(5), set(5) inside a map
};

// "Int32", "Vertex": for error texts.
std::string_view TypeName(Type type);

class Value;
class ValueMap;
struct Vertex;
struct Edge;
struct Path;
struct Tree;
struct Graph;
struct Predicate;
struct Bytecode;
using Values = std::vector<Value>;
using UuidBytes = std::array<uint8_t, 16>;

struct EnumConstant {
  std::string type;  // "T", "Order"
  std::string name;  // "id", "desc"
};
struct Strategy;
struct VertexPropertyRef;
struct PropertyRef;
struct CardinalityValue;

class Value {
 public:
  Value() = default;  // null

  static Value Null() { return {}; }
  static Value Bool(bool value) { return Value(Type::kBool, value); }
  static Value Byte(int8_t value) { return Value(Type::kByte, int64_t{value}); }
  static Value Short(int16_t value) { return Value(Type::kShort, int64_t{value}); }
  static Value Int(int32_t value) { return Value(Type::kInt, int64_t{value}); }
  static Value Long(int64_t value) { return Value(Type::kLong, value); }
  // Returns an int if the number fits, else a long.
  static Value Whole(int64_t value);
  static Value Float(float value) { return Value(Type::kFloat, double{value}); }
  static Value Double(double value) { return Value(Type::kDouble, value); }
  // REQUIRES: a varint, a decimal.
  static Value BigInteger(model::Value number);
  static Value BigDecimal(model::Value number);
  static Value String(std::string text) { return Value(Type::kString, std::move(text)); }
  static Value Uuid(const UuidBytes& bytes) { return Value(Type::kUuid, bytes); }
  static Value Date(int64_t unix_ms) { return Value(Type::kDate, unix_ms); }
  static Value Duration(int64_t ms) { return Value(Type::kDuration, ms); }
  static Value Binary(std::string bytes) { return Value(Type::kBinary, std::move(bytes)); }
  static Value List(Values items);
  static Value Set(Values items);      // REQUIRES: no two equivalent items; see MakeSet
  static Value BulkSet(Values items);  // repeated items stand once for each repetition
  static Value Map(ValueMap map);
  static Value Metrics(ValueMap map);
  static Value Enum(std::string_view type, std::string_view name);

  explicit Value(std::shared_ptr<const Vertex> vertex)
      : payload_(std::move(vertex)), type_(Type::kVertex) {}
  explicit Value(std::shared_ptr<const Edge> edge)
      : payload_(std::move(edge)), type_(Type::kEdge) {}
  explicit Value(std::shared_ptr<const VertexPropertyRef> property)
      : payload_(std::move(property)), type_(Type::kVertexProperty) {}
  explicit Value(std::shared_ptr<const PropertyRef> property)
      : payload_(std::move(property)), type_(Type::kProperty) {}
  explicit Value(std::shared_ptr<const Path> path)
      : payload_(std::move(path)), type_(Type::kPath) {}
  explicit Value(std::shared_ptr<const Tree> tree)
      : payload_(std::move(tree)), type_(Type::kTree) {}
  explicit Value(std::shared_ptr<const Graph> graph)
      : payload_(std::move(graph)), type_(Type::kGraph) {}
  explicit Value(std::shared_ptr<const Predicate> predicate)
      : payload_(std::move(predicate)), type_(Type::kPredicate) {}
  explicit Value(std::shared_ptr<const Bytecode> traversal)
      : payload_(std::move(traversal)), type_(Type::kTraversal) {}
  explicit Value(std::shared_ptr<const Strategy> strategy)
      : payload_(std::move(strategy)), type_(Type::kStrategy) {}
  explicit Value(std::shared_ptr<const CardinalityValue> value)
      : payload_(std::move(value)), type_(Type::kCardinality) {}

  Type type() const { return type_; }
  bool is_null() const { return type_ == Type::kNull; }
  bool is_string() const { return type_ == Type::kString; }
  bool is_integer() const { return type_ >= Type::kByte && type_ <= Type::kLong; }
  bool is_floating() const { return type_ == Type::kFloat || type_ == Type::kDouble; }
  bool is_number() const { return type_ >= Type::kByte && type_ <= Type::kBigDecimal; }
  bool is_collection() const {
    return type_ == Type::kList || type_ == Type::kSet || type_ == Type::kBulkSet;
  }
  bool is_map() const { return type_ == Type::kMap || type_ == Type::kMetrics; }
  bool is_element() const {
    return type_ == Type::kVertex || type_ == Type::kEdge || type_ == Type::kVertexProperty;
  }
  // Returns whether it is the constant of that enumeration.
  bool is_enum(std::string_view type, std::string_view name) const;
  bool is_enum(std::string_view type) const;

  // Each REQUIRES one of the types named.
  bool AsBool() const { return std::get<bool>(payload_); }
  int64_t AsInteger() const { return std::get<int64_t>(payload_); }  // byte to long, date, duration
  double AsFloating() const { return std::get<double>(payload_); }   // float, double
  const model::Value& AsBig() const;                                 // BigInteger, BigDecimal
  const std::string& AsString() const { return std::get<std::string>(payload_); }  // and binary
  const UuidBytes& AsUuid() const { return std::get<UuidBytes>(payload_); }
  const Values& AsItems() const;  // list, set, bulk set
  const ValueMap& AsMap() const;  // map, metrics
  const EnumConstant& AsEnum() const;
  const std::shared_ptr<const Vertex>& AsVertex() const { return Get<Vertex>(); }
  const std::shared_ptr<const Edge>& AsEdge() const { return Get<Edge>(); }
  const VertexPropertyRef& AsVertexProperty() const { return *Get<VertexPropertyRef>(); }
  const PropertyRef& AsProperty() const { return *Get<PropertyRef>(); }
  const Path& AsPath() const { return *Get<Path>(); }
  const Tree& AsTree() const { return *Get<Tree>(); }
  const Graph& AsGraph() const { return *Get<Graph>(); }
  const Predicate& AsPredicate() const { return *Get<Predicate>(); }
  const std::shared_ptr<const Predicate>& predicate() const { return Get<Predicate>(); }
  const Bytecode& AsTraversal() const { return *Get<Bytecode>(); }
  const std::shared_ptr<const Bytecode>& traversal() const { return Get<Bytecode>(); }
  const Strategy& AsStrategy() const { return *Get<Strategy>(); }
  const CardinalityValue& AsCardinality() const { return *Get<CardinalityValue>(); }

 private:
  using Payload =
      std::variant<std::monostate, bool, int64_t, double, std::string, UuidBytes,
                   std::shared_ptr<const model::Value>, std::shared_ptr<const Values>,
                   std::shared_ptr<const ValueMap>, std::shared_ptr<const EnumConstant>,
                   std::shared_ptr<const Vertex>, std::shared_ptr<const Edge>,
                   std::shared_ptr<const VertexPropertyRef>, std::shared_ptr<const PropertyRef>,
                   std::shared_ptr<const Path>, std::shared_ptr<const Tree>,
                   std::shared_ptr<const Graph>, std::shared_ptr<const Predicate>,
                   std::shared_ptr<const Bytecode>, std::shared_ptr<const Strategy>,
                   std::shared_ptr<const CardinalityValue>>;

  template <typename T>
  Value(Type type, T payload) : payload_(std::move(payload)), type_(type) {}
  template <typename T>
  const std::shared_ptr<const T>& Get() const {
    return std::get<std::shared_ptr<const T>>(payload_);
  }

  Payload payload_;
  Type type_ = Type::kNull;
};

// A list without repetitions, in order of first appearance.
Value MakeSet(const Values& items);

// Keys and values in the order of their first insertion. Keys are told apart by Equivalent
// (relation.h): 1 and 1.0 are two keys.
class ValueMap {
 public:
  struct Entry {
    Value key;
    Value value;
  };

  ValueMap() = default;
  ValueMap(std::initializer_list<std::pair<std::string_view, Value>> entries);

  const std::vector<Entry>& entries() const { return entries_; }
  size_t size() const { return entries_.size(); }
  bool empty() const { return entries_.empty(); }

  // Nullptr if the key is not found.
  const Value* Find(const Value& key) const;
  const Value* Find(std::string_view key) const;
  Value* Find(const Value& key);
  // Inserts the key, or replaces its value.
  void Set(Value key, Value value);
  void Set(std::string_view key, Value value) {
    Set(Value::String(std::string(key)), std::move(value));
  }

 private:
  static constexpr size_t kIndexedFrom = 12;
  size_t IndexOf(const Value& key) const;  // SIZE_MAX: not found

  std::vector<Entry> entries_;
  std::vector<std::pair<size_t, size_t>> buckets_;  // hash, position + 1; open addressing
  void Rehash();
};

}  // namespace orrery::gremlin
