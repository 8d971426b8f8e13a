// A graph in memory, for tests of the machine. Reads everything; finds what queries name by
// looking at all elements.
#pragma once

#include <algorithm>
#include <map>
#include <memory>
#include <unordered_set>
#include <utility>
#include <vector>

#include "api/gremlin/graph/graph_store.h"

namespace orrery::gremlin {

class MemoryStore final : public GraphStore {
 public:
  explicit MemoryStore(GraphRules rules = {.partition_key = "_partition", .partition_is_id = true})
      : rules_(std::move(rules)) {}

  const GraphRules& rules() const override { return rules_; }

  Result<std::unique_ptr<ElementCursor>> Find(const ElementQuery& query) override {
    Values found;
    for (const Value& element : elements_) {
      const bool is_vertex = element.type() == Type::kVertex;
      if (is_vertex != (query.kind == ElementKind::kVertex)) continue;
      if (query.ids.has_value() &&
          std::ranges::find(*query.ids, IdText(*IdOf(element))) == query.ids->end())
        continue;
      found.push_back(element);
    }
    return std::make_unique<ListCursor>(std::move(found));
  }
  Result<std::vector<std::shared_ptr<const Vertex>>> GetVertices(
      std::span<const ElementKey> keys) override {
    ++look_ups;
    std::vector<std::shared_ptr<const Vertex>> vertices(keys.size());
    for (size_t i = 0; i < keys.size(); ++i) {
      for (const Value& element : elements_) {
        if (element.type() == Type::kVertex && element.AsVertex()->key() == keys[i])
          vertices[i] = element.AsVertex();
      }
    }
    return vertices;
  }
  Result<std::vector<std::shared_ptr<const Edge>>> EdgesOf(
      std::span<const ElementKey> vertices, EdgeDirection direction,
      std::span<const std::string> labels) override {
    ++look_ups;
    const std::unordered_set<ElementKey, ElementKeyHash> wanted(vertices.begin(), vertices.end());
    std::vector<std::shared_ptr<const Edge>> edges;
    for (const Value& element : elements_) {
      if (element.type() != Type::kEdge) continue;
      const auto& edge = element.AsEdge();
      if (!labels.empty() && std::ranges::find(labels, edge->label) == labels.end()) continue;
      if (wanted.contains((direction == EdgeDirection::kOut ? edge->out : edge->in).key()))
        edges.push_back(edge);
    }
    return edges;
  }
  Status Commit(std::span<const ElementChange> changes, bool& committed) override {
    for (const ElementChange& change : changes) {
      std::erase_if(elements_, [&](const Value& element) {
        return change.kind != ElementChange::Kind::kCreate &&
               element.type() == change.element.type() &&
               IdText(*IdOf(element)) == IdText(*IdOf(change.element));
      });
      if (change.kind != ElementChange::Kind::kDelete) elements_.push_back(change.element);
    }
    committed = true;
    return {};
  }
  RequestUnits charge() const override { return {}; }

  size_t look_ups = 0;

 private:
  class ListCursor final : public ElementCursor {
   public:
    explicit ListCursor(Values elements) : elements_(std::move(elements)) {}
    Status Next(size_t wanted, Values& elements) override {
      for (size_t i = 0; i < wanted && at_ < elements_.size(); ++i)
        elements.push_back(elements_[at_++]);
      return {};
    }

   private:
    const Values elements_;
    size_t at_ = 0;
  };

  const GraphRules rules_;
  Values elements_;
};

}  // namespace orrery::gremlin
