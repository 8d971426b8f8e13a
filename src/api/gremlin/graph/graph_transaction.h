// A GraphTransaction is a graph as one request sees it: what is stored, with the request's own
// writes on top. Nothing is written before Commit.
//
// Elements are immutable; a change makes a new version. Values that a traversal holds may therefore
// be older than the transaction's: Newest() gives the version to read.
//
// Used by one thread. The store must outlive it.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "api/gremlin/graph/graph_store.h"

namespace orrery::gremlin {

using NewUuid = std::function<UuidBytes()>;

class GraphTransaction {
 public:
  GraphTransaction(GraphStore& store, NewUuid new_uuid)
      : store_(store), new_uuid_(std::move(new_uuid)) {}

  const GraphRules& rules() const { return store_.rules(); }
  RequestUnits charge() const { return store_.charge(); }
  bool has_changes() const { return !order_.empty(); }

  Result<std::unique_ptr<ElementCursor>> Find(const ElementQuery& query);
  Result<std::vector<std::shared_ptr<const Vertex>>> GetVertices(std::span<const ElementKey> keys);
  Result<std::vector<std::shared_ptr<const Edge>>> EdgesOf(std::span<const ElementKey> vertices,
                                                           EdgeDirection direction,
                                                           std::span<const std::string> labels);

  // The number of elements of the query's kind that have one of its labels, or any if it names
  // none.
  Result<int64_t> Count(const ElementQuery& query);

  // The element as it is now; null if this transaction has removed it. Other values as they are.
  Value Newest(const Value& value) const;

  // The id is made when it is null. kInvalidArgument without a value of the partition key.
  Result<Value> AddVertex(Value id, std::string label, std::vector<VertexProperty> properties);
  Result<Value> AddEdge(Value id, std::string label, const Vertex& out, const Vertex& in,
                        std::vector<Property> properties);
  // Returns the new version. kInvalidArgument when the partition key would change.
  Result<Value> SetProperty(const Value& element, std::string_view cardinality,
                            std::string_view key, const Value& value,
                            const std::vector<Property>& meta);
  // Removes a vertex with its edges, an edge or a property. Nothing happens if it is gone already.
  Status Remove(const Value& element);

  // Makes all changes. See GraphStore::Commit.
  Status Commit(bool& committed);
  void Rollback();

 private:
  struct Change {
    ElementChange::Kind kind;
    Value element;
  };
  using Changes = std::unordered_map<ElementKey, Change, ElementKeyHash>;
  friend class OverlayCursor;

  const Changes& ChangesOf(ElementKind kind) const {
    return kind == ElementKind::kVertex ? vertices_ : edges_;
  }
  Changes& ChangesOf(ElementKind kind) { return kind == ElementKind::kVertex ? vertices_ : edges_; }
  void Put(ElementKind kind, const ElementKey& key, ElementChange::Kind change, Value element);
  Value NewId() const { return Value::String(NewIdText()); }
  std::string NewIdText() const;
  Status CheckKey(std::string_view key) const;

  GraphStore& store_;
  const NewUuid new_uuid_;
  Changes vertices_;
  Changes edges_;
  std::vector<std::pair<ElementKind, ElementKey>> order_;  // of the first change of each
};

// Returns whether a scalar can be the value of a property. Collections and null cannot.
bool IsStorable(const Value& value);

}  // namespace orrery::gremlin
