#include "api/gremlin/graph/graph_transaction.h"

#include <algorithm>
#include <unordered_set>

#include "api/gremlin/value/relation.h"
#include "api/gremlin/value/text.h"

namespace orrery::gremlin {
namespace {

ElementKey KeyOf(const Value& element) {
  return element.type() == Type::kVertex ? element.AsVertex()->key() : element.AsEdge()->key();
}

bool HasLabel(const Edge& edge, std::span<const std::string> labels) {
  return labels.empty() || std::ranges::find(labels, edge.label) != labels.end();
}

Value Shared(Vertex vertex) { return Value(std::make_shared<const Vertex>(std::move(vertex))); }
Value Shared(Edge edge) { return Value(std::make_shared<const Edge>(std::move(edge))); }

void SetMeta(std::vector<Property>& all, const std::vector<Property>& given) {
  for (const Property& property : given) {
    const auto found = std::ranges::find(all, property.key, &Property::key);
    if (property.value.is_null()) {
      if (found != all.end()) all.erase(found);
    } else if (found != all.end()) {
      found->value = property.value;
    } else {
      all.push_back(property);
    }
  }
}

}  // namespace

bool IsStorable(const Value& value) {
  return value.type() != Type::kNull && value.type() < Type::kList &&
         value.type() != Type::kDuration;
}

// Gives what is stored in the version of the transaction, and then what only the transaction has.
class OverlayCursor final : public ElementCursor {
 public:
  OverlayCursor(const GraphTransaction& transaction, ElementKind kind,
                std::unique_ptr<ElementCursor> stored)
      : transaction_(transaction), kind_(kind), stored_(std::move(stored)) {}

  Status Next(size_t wanted, Values& elements) override {
    while (!stored_done_) {
      Values found;
      ORRERY_TRY(stored_->Next(wanted, found));
      if (found.empty()) {
        stored_done_ = true;
        break;
      }
      const size_t before = elements.size();
      for (Value& element : found) {
        const auto& changes = transaction_.ChangesOf(kind_);
        if (changes.empty()) {
          elements.push_back(std::move(element));
          continue;
        }
        const ElementKey key = KeyOf(element);
        given_.insert(key);
        const auto change = changes.find(key);
        if (change == changes.end()) {
          elements.push_back(std::move(element));
        } else if (change->second.kind != ElementChange::Kind::kDelete) {
          elements.push_back(change->second.element);
        }
      }
      if (elements.size() > before) return {};
    }
    if (own_done_) return {};
    own_done_ = true;
    for (const auto& [kind, key] : transaction_.order_) {
      if (kind != kind_ || given_.contains(key)) continue;
      const auto& change = transaction_.ChangesOf(kind_).at(key);
      if (change.kind != ElementChange::Kind::kDelete) elements.push_back(change.element);
    }
    return {};
  }

 private:
  const GraphTransaction& transaction_;
  const ElementKind kind_;
  const std::unique_ptr<ElementCursor> stored_;
  std::unordered_set<ElementKey, ElementKeyHash> given_;
  bool stored_done_ = false;
  bool own_done_ = false;
};

Result<std::unique_ptr<ElementCursor>> GraphTransaction::Find(const ElementQuery& query) {
  ORRERY_ASSIGN(std::unique_ptr<ElementCursor> stored, store_.Find(query));
  return std::make_unique<OverlayCursor>(*this, query.kind, std::move(stored));
}

Result<std::vector<std::shared_ptr<const Vertex>>> GraphTransaction::GetVertices(
    std::span<const ElementKey> keys) {
  if (vertices_.empty()) return store_.GetVertices(keys);
  std::vector<std::shared_ptr<const Vertex>> vertices(keys.size());
  std::vector<ElementKey> wanted;
  std::vector<size_t> places;
  for (size_t i = 0; i < keys.size(); ++i) {
    const auto change = vertices_.find(keys[i]);
    if (change == vertices_.end()) {
      wanted.push_back(keys[i]);
      places.push_back(i);
    } else if (change->second.kind != ElementChange::Kind::kDelete) {
      vertices[i] = change->second.element.AsVertex();
    }
  }
  if (wanted.empty()) return vertices;
  ORRERY_ASSIGN(auto stored, store_.GetVertices(wanted));
  for (size_t i = 0; i < places.size(); ++i) vertices[places[i]] = std::move(stored[i]);
  return vertices;
}

Result<std::vector<std::shared_ptr<const Edge>>> GraphTransaction::EdgesOf(
    std::span<const ElementKey> vertices, EdgeDirection direction,
    std::span<const std::string> labels) {
  ORRERY_ASSIGN(std::vector<std::shared_ptr<const Edge>> edges,
                store_.EdgesOf(vertices, direction, labels));
  if (edges_.empty()) return edges;
  std::unordered_set<ElementKey, ElementKeyHash> wanted(vertices.begin(), vertices.end());
  std::vector<std::shared_ptr<const Edge>> seen;
  for (std::shared_ptr<const Edge>& edge : edges) {
    if (!edges_.contains(edge->key())) seen.push_back(std::move(edge));
  }
  for (const auto& [kind, key] : order_) {
    if (kind != ElementKind::kEdge) continue;
    const Change& change = edges_.at(key);
    if (change.kind == ElementChange::Kind::kDelete) continue;
    const std::shared_ptr<const Edge>& edge = change.element.AsEdge();
    const VertexStub& end = direction == EdgeDirection::kOut ? edge->out : edge->in;
    if (wanted.contains(end.key()) && HasLabel(*edge, labels)) seen.push_back(edge);
  }
  return seen;
}

Result<int64_t> GraphTransaction::Count(const ElementQuery& query) {
  if (!has_changes()) {
    ORRERY_ASSIGN(const auto stored, store_.Count(query));
    if (stored.has_value()) return *stored;
  }
  constexpr size_t kPage = 1'024;
  ORRERY_ASSIGN(const auto cursor, Find({.kind = query.kind, .labels = query.labels}));
  int64_t count = 0;
  while (true) {
    Values elements;
    ORRERY_TRY(cursor->Next(kPage, elements));
    if (elements.empty()) return count;
    count += std::ranges::count_if(elements, [&](const Value& element) {
      const std::string& label =
          element.type() == Type::kVertex ? element.AsVertex()->label : element.AsEdge()->label;
      return !query.labels.has_value() ||
             std::ranges::find(*query.labels, label) != query.labels->end();
    });
  }
}

Value GraphTransaction::Newest(const Value& value) const {
  if (order_.empty()) return value;
  if (value.type() != Type::kVertex && value.type() != Type::kEdge) return value;
  const ElementKind kind =
      value.type() == Type::kVertex ? ElementKind::kVertex : ElementKind::kEdge;
  const Changes& changes = ChangesOf(kind);
  const auto change = changes.find(KeyOf(value));
  if (change == changes.end()) return value;
  return change->second.kind == ElementChange::Kind::kDelete ? Value::Null()
                                                             : change->second.element;
}

std::string GraphTransaction::NewIdText() const { return UuidText(new_uuid_()); }

void GraphTransaction::Put(ElementKind kind, const ElementKey& key, ElementChange::Kind change,
                           Value element) {
  Changes& changes = ChangesOf(kind);
  const auto found = changes.find(key);
  if (found == changes.end()) {
    order_.emplace_back(kind, key);
    changes.emplace(key, Change{change, std::move(element)});
    return;
  }
  // What was created here and changed is still a creation.
  const bool created = found->second.kind == ElementChange::Kind::kCreate;
  if (created && change == ElementChange::Kind::kReplace) change = ElementChange::Kind::kCreate;
  if (created && change == ElementChange::Kind::kDelete) {
    changes.erase(found);
    std::erase_if(order_,
                  [&](const auto& entry) { return entry.first == kind && entry.second == key; });
    return;
  }
  found->second = Change{change, std::move(element)};
}

Status GraphTransaction::CheckKey(std::string_view key) const {
  static constexpr std::string_view kReserved[] = {"_isEdge",
                                                   "_vertexId",
                                                   "_vertexLabel",
                                                   "_vertexIdType",
                                                   "_sink",
                                                   "_sinkLabel",
                                                   "_sinkIdType",
                                                   "_sinkPartition",
                                                   "_rid",
                                                   "_self",
                                                   "_etag",
                                                   "_ts",
                                                   "_attachments",
                                                   "_idType",
                                                   "_types",
                                                   "_lsn",
                                                   "_isPkEdgeProperty"};
  if (key.empty()) return Fail(Code::kInvalidArgument, "Property key can not be the empty string");
  if (key.starts_with('~')) {
    return Fail(Code::kInvalidArgument,
                "Property key can not be a hidden key: " + std::string(key));
  }
  if (key.find('\0') != std::string_view::npos)
    return Fail(Code::kInvalidArgument, "Property key can not contain NUL");
  if (std::ranges::find(kReserved, key) != std::end(kReserved) ||
      (rules().partition_is_id && key == rules().partition_key)) {
    return Fail(Code::kInvalidArgument,
                "Property key '" + std::string(key) + "' is reserved for the store");
  }
  return {};
}

Result<Value> GraphTransaction::AddVertex(Value id, std::string label,
                                          std::vector<VertexProperty> properties) {
  if (id.is_null()) id = NewId();
  if (!IsIdType(id.type()))
    return Fail(Code::kInvalidArgument,
                "a vertex cannot have a " + std::string(TypeName(id.type())) + " as id");
  if (label.starts_with('~'))
    return Fail(Code::kInvalidArgument, "Label can not be a hidden key: " + label);
  if (label.empty()) return Fail(Code::kInvalidArgument, "Label can not be empty");
  Vertex vertex{.id = std::move(id),
                .label = std::move(label),
                .partition = {},
                .properties = {},
                .version = {},
                .system = {}};
  for (VertexProperty& property : properties) {
    ORRERY_TRY(CheckKey(property.key));
    if (!IsStorable(property.value)) {
      return Fail(Code::kInvalidArgument, "property '" + property.key + "' cannot be a " +
                                              std::string(TypeName(property.value.type())) +
                                              ": values of properties are scalars");
    }
    property.id = property.key == rules().partition_key
                      ? Value::String(IdText(vertex.id) + "|" + property.key)
                      : NewId();
    vertex.properties.push_back(std::move(property));
  }
  if (rules().partition_is_id) {
    vertex.partition = Value::String(IdText(vertex.id));
  } else {
    const auto found =
        std::ranges::find(vertex.properties, rules().partition_key, &VertexProperty::key);
    if (found == vertex.properties.end()) {
      return Fail(Code::kInvalidArgument,
                  "Cannot add a vertex where the partition key property has value 'null': set "
                  "property '" +
                      rules().partition_key + "', this graph's partition key");
    }
    vertex.partition = found->value;
  }
  const ElementKey key = vertex.key();
  if (const auto found = vertices_.find(key);
      found != vertices_.end() && found->second.kind != ElementChange::Kind::kDelete) {
    return Fail(Code::kAlreadyExists, "Vertex with id already exists: " + key.id);
  }
  // One that was removed by this transaction is replaced.
  const bool removed = vertices_.contains(key);
  if (removed) vertex.version = vertices_.at(key).element.AsVertex()->version;
  Value value = Shared(std::move(vertex));
  Put(ElementKind::kVertex, key,
      removed ? ElementChange::Kind::kReplace : ElementChange::Kind::kCreate, value);
  return value;
}

Result<Value> GraphTransaction::AddEdge(Value id, std::string label, const Vertex& out,
                                        const Vertex& in, std::vector<Property> properties) {
  if (id.is_null()) id = NewId();
  if (!IsIdType(id.type()))
    return Fail(Code::kInvalidArgument,
                "an edge cannot have a " + std::string(TypeName(id.type())) + " as id");
  if (label.starts_with('~'))
    return Fail(Code::kInvalidArgument, "Label can not be a hidden key: " + label);
  if (label.empty()) return Fail(Code::kInvalidArgument, "Label can not be empty");
  Edge edge{.id = std::move(id),
            .label = std::move(label),
            .partition = out.partition,
            .out = {.id = out.id, .label = out.label, .partition = out.partition},
            .in = {.id = in.id, .label = in.label, .partition = in.partition},
            .properties = {},
            .version = {},
            .system = {}};
  for (const Property& property : properties) {
    ORRERY_TRY(CheckKey(property.key));
    if (property.value.is_null()) continue;
    if (!IsStorable(property.value)) {
      return Fail(Code::kInvalidArgument, "property '" + property.key + "' cannot be a " +
                                              std::string(TypeName(property.value.type())) +
                                              ": values of properties are scalars");
    }
    if (property.key == rules().partition_key && !Equals(property.value, edge.partition)) {
      return Fail(Code::kInvalidArgument,
                  "an edge is in the partition of its source vertex: property '" + property.key +
                      "' cannot have another value");
    }
    if (property.key != rules().partition_key) SetMeta(edge.properties, {property});
  }
  const ElementKey key = edge.key();
  if (const auto found = edges_.find(key);
      found != edges_.end() && found->second.kind != ElementChange::Kind::kDelete) {
    return Fail(Code::kAlreadyExists, "Edge with id already exists: " + key.id);
  }
  const bool removed = edges_.contains(key);
  if (removed) edge.version = edges_.at(key).element.AsEdge()->version;
  Value value = Shared(std::move(edge));
  Put(ElementKind::kEdge, key,
      removed ? ElementChange::Kind::kReplace : ElementChange::Kind::kCreate, value);
  return value;
}

Result<Value> GraphTransaction::SetProperty(const Value& element, std::string_view cardinality,
                                            std::string_view key, const Value& value,
                                            const std::vector<Property>& meta) {
  ORRERY_TRY(CheckKey(key));
  if (!value.is_null() && !IsStorable(value)) {
    return Fail(Code::kInvalidArgument, "property '" + std::string(key) + "' cannot be a " +
                                            std::string(TypeName(value.type())) +
                                            ": values of properties are scalars");
  }
  if (element.type() == Type::kVertexProperty) {
    // A meta-property.
    const VertexPropertyRef& ref = element.AsVertexProperty();
    const Value owner = Newest(Value(ref.owner));
    if (owner.is_null()) return element;
    Vertex vertex = *owner.AsVertex();
    const auto found = std::ranges::find_if(vertex.properties, [&](const VertexProperty& p) {
      return IdText(p.id) == IdText(ref.property.id);
    });
    if (found == vertex.properties.end()) return element;
    SetMeta(found->meta, {{std::string(key), value}});
    VertexPropertyRef changed{.property = *found, .owner = nullptr};
    const Value now = Shared(std::move(vertex));
    Put(ElementKind::kVertex, KeyOf(now), ElementChange::Kind::kReplace, now);
    changed.owner = now.AsVertex();
    return Value(std::make_shared<const VertexPropertyRef>(std::move(changed)));
  }
  const Value newest = Newest(element);
  if (newest.is_null()) return element;
  if (key == rules().partition_key) {
    const Value& partition =
        newest.type() == Type::kVertex ? newest.AsVertex()->partition : newest.AsEdge()->partition;
    if (value.is_null() || !Equals(value, partition)) {
      return Fail(Code::kInvalidArgument,
                  "Updating the partition key property '" + std::string(key) +
                      "' is not allowed: remove the element and add it anew");
    }
    return newest;
  }
  if (newest.type() == Type::kEdge) {
    Edge edge = *newest.AsEdge();
    SetMeta(edge.properties, {{std::string(key), value}});
    Value now = Shared(std::move(edge));
    Put(ElementKind::kEdge, KeyOf(now), ElementChange::Kind::kReplace, now);
    return now;
  }
  if (newest.type() != Type::kVertex) {
    return Fail(Code::kInvalidArgument, "a " + std::string(TypeName(newest.type())) +
                                            " cannot have properties set: property() follows "
                                            "vertices, edges and vertex properties");
  }
  Vertex vertex = *newest.AsVertex();
  const auto is_key = [&](const VertexProperty& property) { return property.key == key; };
  if (value.is_null() || cardinality == "single") std::erase_if(vertex.properties, is_key);
  if (!value.is_null()) {
    const auto same = std::ranges::find_if(vertex.properties, [&](const VertexProperty& property) {
      return cardinality == "set" && property.key == key && Equals(property.value, value);
    });
    if (same != vertex.properties.end()) {
      SetMeta(same->meta, meta);
    } else {
      VertexProperty property{.id = NewId(), .key = std::string(key), .value = value, .meta = {}};
      SetMeta(property.meta, meta);
      vertex.properties.push_back(std::move(property));
    }
  }
  Value now = Shared(std::move(vertex));
  Put(ElementKind::kVertex, KeyOf(now), ElementChange::Kind::kReplace, now);
  return now;
}

Status GraphTransaction::Remove(const Value& element) {
  if (element.type() == Type::kEdge) {
    const Value newest = Newest(element);
    if (!newest.is_null())
      Put(ElementKind::kEdge, KeyOf(newest), ElementChange::Kind::kDelete, newest);
    return {};
  }
  if (element.type() == Type::kVertex) {
    const Value newest = Newest(element);
    if (newest.is_null()) return {};
    const ElementKey key = KeyOf(newest);
    for (const EdgeDirection direction : {EdgeDirection::kOut, EdgeDirection::kIn}) {
      ORRERY_ASSIGN(const auto edges, EdgesOf({&key, 1}, direction, {}));
      for (const auto& edge : edges)
        Put(ElementKind::kEdge, edge->key(), ElementChange::Kind::kDelete, Value(edge));
    }
    Put(ElementKind::kVertex, key, ElementChange::Kind::kDelete, newest);
    return {};
  }
  if (element.type() == Type::kVertexProperty) {
    const VertexPropertyRef& ref = element.AsVertexProperty();
    const Value owner = Newest(Value(ref.owner));
    if (owner.is_null()) return {};
    if (ref.property.key == rules().partition_key)
      return Fail(Code::kInvalidArgument, "the partition key property cannot be removed");
    Vertex vertex = *owner.AsVertex();
    std::erase_if(vertex.properties, [&](const VertexProperty& property) {
      return IdText(property.id) == IdText(ref.property.id);
    });
    Value now = Shared(std::move(vertex));
    const ElementKey key = KeyOf(now);
    Put(ElementKind::kVertex, key, ElementChange::Kind::kReplace, std::move(now));
    return {};
  }
  if (element.type() == Type::kProperty && !element.AsProperty().owner.is_null()) {
    ORRERY_TRY(SetProperty(element.AsProperty().owner, "single", ToText(element.AsProperty().key),
                           Value::Null(), {}));
    return {};
  }
  return Fail(Code::kInvalidArgument, "a " + std::string(TypeName(element.type())) +
                                          " cannot be removed: drop() follows vertices, edges and "
                                          "properties");
}

Status GraphTransaction::Commit(bool& committed) {
  std::vector<ElementChange> changes;
  changes.reserve(order_.size());
  for (const auto& [kind, key] : order_) {
    const Change& change = ChangesOf(kind).at(key);
    changes.push_back({.kind = change.kind, .element = change.element});
  }
  ORRERY_TRY(store_.Commit(changes, committed));
  Rollback();
  return {};
}

void GraphTransaction::Rollback() {
  vertices_.clear();
  edges_.clear();
  order_.clear();
}

}  // namespace orrery::gremlin
