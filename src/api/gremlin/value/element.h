// Graph elements as values: immutable, and as they were when they were read.
//
// An element is identified by its kind, the partition it is in and its id. Ids are compared by
// their text, so that 1 and "1" name the same element (docs/decisions/0032-gremlin-traversals.md).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/gremlin/value/value.h"

namespace orrery::gremlin {

struct Property {
  std::string key;
  Value value;
};

struct VertexProperty {
  Value id;
  std::string key;
  Value value;
  std::vector<Property> meta;
};

// An ElementKey names an element; `partition` is the value of the partition key.
struct ElementKey {
  Value partition;
  std::string id;  // IdText

  friend bool operator==(const ElementKey& a, const ElementKey& b);
};
struct ElementKeyHash {
  size_t operator()(const ElementKey& key) const;
};

// The text by which ids are compared and stored. REQUIRES: IsIdType(id.type()).
std::string IdText(const Value& id);
// Returns whether values of the type can be ids: scalars but null, dates and binaries.
bool IsIdType(Type type);

// The properties of a stored element that begin with an underscore and belong to the store. They
// are made when somebody asks for one.
struct SystemProperties {
  std::optional<uint64_t> lsn{};  // nullopt: not stored yet
  int64_t time_s = 0;

  // _ts or _etag; nullopt for other keys.
  std::optional<Value> Find(std::string_view key) const;
};

struct Vertex {
  Value id;
  std::string label;
  Value partition;
  std::vector<VertexProperty> properties;  // those of one key in the order they were added
  std::optional<uint64_t> version;         // of the stored document; nullopt: not stored yet
  SystemProperties system;
  // Fields of the stored document that are no properties: kept when it is written again.
  std::shared_ptr<const model::Fields> others{};

  ElementKey key() const { return {partition, IdText(id)}; }
};

// An end of an edge.
struct VertexStub {
  Value id;
  std::string label;
  Value partition;

  ElementKey key() const { return {partition, IdText(id)}; }
};

struct Edge {
  Value id;
  std::string label;
  Value partition;  // that of the source vertex
  VertexStub out;
  VertexStub in;
  std::vector<Property> properties;
  std::optional<uint64_t> version;
  SystemProperties system;
  std::shared_ptr<const model::Fields> others{};

  ElementKey key() const { return {partition, IdText(id)}; }
  const Value* Find(std::string_view key) const;
};

// A property of a vertex with the vertex that it was read from.
struct VertexPropertyRef {
  VertexProperty property;
  std::shared_ptr<const Vertex> owner;
};

// A property of an edge, or a meta-property. Also what unfold() makes of a map's entry: then there
// is no owner, and the key may be any value.
struct PropertyRef {
  Value key;
  Value value;
  Value owner;
};

struct Path {
  Values objects;
  std::vector<std::vector<std::string>> labels;  // one list for each object
};

struct Tree {
  struct Branch;
  std::vector<Branch> branches;
};
struct Tree::Branch {
  Value key;
  Tree children;
};

struct Graph {
  std::vector<std::shared_ptr<const Vertex>> vertices;
  std::vector<std::shared_ptr<const Edge>> edges;
};

// single(5), list(5), set(5).
struct CardinalityValue {
  std::string cardinality;
  Value value;
};

// Nullptr if the value is no element.
const Value* IdOf(const Value& element);
// Nullptr if the value has no label; of properties it is their key.
const std::string* LabelOf(const Value& element);

}  // namespace orrery::gremlin
