#include "api/gremlin/store/document_store.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "api/gremlin/store/element_codec.h"
#include "api/gremlin/store/element_conditions.h"
#include "api/gremlin/value/relation.h"
#include "gateway/view/partition_ranges.h"
#include "gateway/view/value_filters.h"
#include "query/predicate/predicate_builder.h"
#include "query/source/gateway_source.h"
#include "query/source/scan_plan.h"
#include "query/source/scan_position.h"

namespace orrery::gremlin {
namespace {

// A scan is planned again when a partition split under it; more often in a row is no accident.
constexpr int kPlansMax = 8;
constexpr size_t kKeysAtOnce = 1'000;
constexpr size_t kEdgePage = 1'024;
constexpr size_t kPartitionsAtOnce = 8;
// Index entries that one request reads to make the filters of targets, which later ones profit
// from.
constexpr size_t kFilterEntriesMax = 20'000;

// Elements are read from documents as they are stored.
class StoredShape final : public query::DocumentShaper {
 public:
  bool reads_document() const override { return true; }
  model::Value Shape(const item::ScannedItem&) const override { return {}; }
};

Value ReadElement(ElementKind kind, const item::ScannedItem& item, const GraphRules& rules) {
  const StoredVersion version{.lsn = item.lsn, .time = item.time};
  if (kind == ElementKind::kEdge) {
    if (!IsEdge(item.document)) return {};
    auto edge = ReadEdge(item.document, rules, version);
    return edge == nullptr ? Value() : Value(std::move(edge));
  }
  auto vertex = ReadVertex(item.document, rules, version);
  return vertex == nullptr ? Value() : Value(std::move(vertex));
}

}  // namespace

Result<GraphRules> RulesOf(const gateway::ContainerEntry& container) {
  if (container.settings.rows.has_value() || container.settings.order != model::Order::kSql ||
      container.settings.row_key_path != "/id") {
    return Fail(Code::kInvalidArgument,
                "'" + container.settings.name + "' belongs to another API and cannot be a graph");
  }
  const auto& paths = container.schema->partition_key_paths;
  if (paths.size() != 1 || paths.front().steps().size() != 1) {
    return Fail(Code::kInvalidArgument,
                "a graph needs a partition key of one property, such as /pk: '" +
                    container.settings.name + "' has another kind of key");
  }
  const std::string& key = paths.front().steps().front();
  if (key == "id" || key == "label") {
    return Fail(Code::kInvalidArgument,
                "a graph cannot have /" + key + " as its partition key: choose another property");
  }
  return GraphRules{.partition_key = key, .partition_is_id = key == kOwnPartitionKey};
}

// One access path, read page by page. What a split interrupts goes on behind the last page.
class DocumentStore::ScanCursor final : public ElementCursor {
 public:
  struct Scope {
    std::optional<gateway::KeyValues> partition_key;
    ElementKind kind;
    std::shared_ptr<const model::Expression> filter;
  };
  ScanCursor(DocumentStore& store, const query::Conditions& conditions, Scope scope)
      : store_(store),
        scope_(std::move(scope)),
        path_(query::ChooseAccessPath(conditions, *store.parts_.container->schema,
                                      scope_.partition_key)),
        may_repeat_(MayRepeat(path_)) {}

  Status Next(size_t wanted, Values& elements) override {
    const size_t before = elements.size();
    for (int plan = 1; !done_; ++plan) {
      const Status status = ReadPage(wanted, elements);
      if (status.has_value()) {
        if (elements.size() > before) return {};
        continue;
      }
      if (status.error().code() != Code::kMoved || plan >= kPlansMax) return status;
      source_.reset();
      elements.resize(before);
    }
    return {};
  }

 private:
  // Returns whether a scan that a split interrupted may give an element again: an element with
  // several values in the index is given with the first of them that is left.
  static bool MayRepeat(const query::AccessPath& path) {
    const bool has_several = path.index.has_value() && path.index->paths.front().has_elements();
    return has_several &&
           !(path.index->ranges.size() == 1 && path.index->IsOneValue(path.index->ranges.front()));
  }

  Status Plan(size_t wanted) {
    std::optional<query::ScanPosition> resume;
    if (!position_.empty()) {
      ORRERY_ASSIGN(resume, query::DecodePosition(position_));
    }
    const auto& parts = store_.parts_;
    ORRERY_ASSIGN(
        std::vector<query::ScanStream> streams,
        query::PlanScans(path_,
                         {.partition_key = path_.partition_key.has_value() ? path_.partition_key
                                                                           : scope_.partition_key,
                          .range = {},
                          .session = {}},
                         *parts.container->schema,
                         gateway::PartitionRanges(parts.gateway, *parts.container), resume));
    counted_ = {};
    source_.emplace(query::GatewaySource::Parts{.gateway = parts.gateway,
                                                .container = parts.container,
                                                .path = path_,
                                                .shaper = shape_,
                                                .rows_wanted = wanted,
                                                .where = scope_.filter,
                                                .context = parts.context},
                    std::move(streams));
    return {};
  }

  Status ReadPage(size_t wanted, Values& elements) {
    if (!source_.has_value()) ORRERY_TRY(Plan(wanted));
    StopCheck stop(store_.parts_.context);
    size_t found = 0;
    Status status;
    while (found < wanted) {
      if (stop.Step()) {
        status = store_.parts_.context.Check();
        break;
      }
      const auto next = source_->Next();
      if (!next.has_value()) {
        status = Fail(next.error());
        break;
      }
      if (!*next) {
        done_ = true;
        break;
      }
      if (may_repeat_ && !given_.insert(query::RingOrder(source_->item().key)).second) continue;
      Value element = ReadElement(scope_.kind, source_->item(), store_.parts_.rules);
      if (element.is_null()) continue;
      elements.push_back(std::move(element));
      ++found;
    }
    store_.charge_ += source_->metrics().charge - counted_;
    counted_ = source_->metrics().charge;
    if (status.has_value() && found > 0 && !done_)
      position_ = source_->Position(query::DocumentSource::Resume::kBehind);
    return status;
  }

  DocumentStore& store_;
  const Scope scope_;
  const query::AccessPath path_;
  const bool may_repeat_;
  const StoredShape shape_;
  std::optional<query::GatewaySource> source_;
  std::unordered_set<std::string> given_;  // keys, if they may repeat
  std::string position_;                   // behind the last page; empty: the beginning
  RequestUnits counted_;                   // of the source's charge
  bool done_ = false;
};

// Several cursors, one after the other.
class DocumentStore::PartsCursor final : public ElementCursor {
 public:
  explicit PartsCursor(std::vector<std::unique_ptr<ElementCursor>> parts)
      : parts_(std::move(parts)) {}

  Status Next(size_t wanted, Values& elements) override {
    const size_t before = elements.size();
    for (; at_ < parts_.size(); ++at_) {
      ORRERY_TRY(parts_[at_]->Next(wanted, elements));
      if (elements.size() > before) return {};
    }
    return {};
  }

 private:
  const std::vector<std::unique_ptr<ElementCursor>> parts_;
  size_t at_ = 0;
};

Result<std::unique_ptr<ElementCursor>> DocumentStore::Scan(
    const query::Conditions& conditions, std::optional<gateway::KeyValues> partition_key,
    ElementKind kind, std::span<const std::string> labels) {
  ORRERY_ASSIGN(auto filter, KindFilter(kind, labels));
  return std::make_unique<ScanCursor>(
      *this, conditions,
      ScanCursor::Scope{
          .partition_key = std::move(partition_key), .kind = kind, .filter = std::move(filter)});
}

Result<std::unique_ptr<ElementCursor>> DocumentStore::Find(const ElementQuery& query) {
  std::vector<std::unique_ptr<ElementCursor>> parts;
  // No value is allowed at all: nothing is found.
  const bool none = (query.ids.has_value() && query.ids->empty()) ||
                    (query.labels.has_value() && query.labels->empty()) ||
                    (query.partitions.has_value() && query.partitions->empty());
  if (none) return std::make_unique<PartsCursor>(std::move(parts));
  const query::Conditions conditions = ConditionsOf(query, rules());
  const std::span<const std::string> labels = query.labels.has_value()
                                                  ? std::span<const std::string>(*query.labels)
                                                  : std::span<const std::string>();
  if (!query.partitions.has_value()) return Scan(conditions, std::nullopt, query.kind, labels);
  Values partitions;
  for (const Value& partition : *query.partitions) {
    if (std::ranges::none_of(partitions,
                             [&](const Value& other) { return Equals(partition, other); }))
      partitions.push_back(partition);
  }
  for (const Value& partition : partitions) {
    // What cannot be a partition key is the partition of nothing.
    if (partition.is_null() || !IsIdType(partition.type())) continue;
    ORRERY_ASSIGN(auto part, Scan(conditions, gateway::KeyValues{PartitionValue(partition)},
                                  query.kind, labels));
    parts.push_back(std::move(part));
  }
  return std::make_unique<PartsCursor>(std::move(parts));
}

Result<std::optional<int64_t>> DocumentStore::Count(const ElementQuery& query) {
  if (query.labels.has_value() && query.labels->empty()) return 0;
  ORRERY_ASSIGN(const auto filter, ElementFilter(query.kind, query.labels));
  gateway::ScanSpec spec;
  spec.filter = filter;
  spec.grouping = CountGrouping();
  spec.context = parts_.context;
  int64_t count = 0;
  std::string continuation;
  do {
    ORRERY_ASSIGN(const gateway::ScanResponse page,
                  parts_.gateway.Scan(parts_.container, spec, continuation));
    charge_ += page.charge;
    for (const item::ScannedItem& group : page.items) {
      ORRERY_ASSIGN(const int64_t part, CountOf(group.document));
      count += part;
    }
    continuation = page.continuation;
  } while (!continuation.empty());
  return count;
}

Result<std::shared_ptr<const Vertex>> DocumentStore::GetVertex(const ElementKey& key) {
  const gateway::ReadResponse read =
      parts_.gateway.Read(parts_.container, {PartitionValue(key.partition)},
                          model::Value::String(key.id), parts_.read_mode);
  charge_ += read.charge;
  if (!read.status.has_value()) {
    // What cannot be a key is the key of nothing.
    const Code code = read.status.error().code();
    const bool is_none =
        code == Code::kNotFound || code == Code::kInvalidArgument || code == Code::kTooLarge;
    if (is_none) return nullptr;
    return Fail(read.status.error());
  }
  return ReadVertex(read.item.document, rules(), {.lsn = read.item.lsn, .time = read.item.time});
}

Result<std::vector<std::shared_ptr<const Vertex>>> DocumentStore::GetVertices(
    std::span<const ElementKey> keys) {
  if (keys.empty()) return std::vector<std::shared_ptr<const Vertex>>();
  if (parts_.lookups != nullptr) {
    ORRERY_ASSIGN(auto found, LookUpVertices(keys));
    if (found.has_value()) return *std::move(found);
  }
  std::vector<std::shared_ptr<const Vertex>> vertices(keys.size());
  if (keys.size() == 1) {
    ORRERY_ASSIGN(vertices.front(), GetVertex(keys.front()));
    return vertices;
  }
  if (parts_.read_mode == storage::ReadMode::kCachedOnly)
    return Fail(Code::kWouldBlock, "several vertices are read by blocking");
  std::unordered_map<std::string, std::vector<size_t>> places;
  std::vector<item::ItemKey> wanted;
  for (size_t i = 0; i < keys.size(); ++i) {
    const auto& [partition, id] = keys[i];
    const auto routed =
        parts_.gateway.RoutePartitionKey(*parts_.container, {PartitionValue(partition)});
    const auto row_key = parts_.gateway.EncodeRowKey(*parts_.container, model::Value::String(id));
    // What cannot be a key is the key of nothing.
    if (!routed.has_value() || !row_key.has_value()) continue;
    item::ItemKey key{.hash = routed->hash, .partition_key = routed->encoded, .row_key = *row_key};
    std::vector<size_t>& at = places[query::RingOrder(key)];
    if (at.empty()) wanted.push_back(std::move(key));
    at.push_back(i);
  }
  for (size_t begin = 0; begin < wanted.size(); begin += kKeysAtOnce) {
    const size_t end = std::min(begin + kKeysAtOnce, wanted.size());
    gateway::ScanSpec spec;
    spec.keys = std::make_shared<const std::vector<item::ItemKey>>(
        std::make_move_iterator(wanted.begin() + static_cast<ptrdiff_t>(begin)),
        std::make_move_iterator(wanted.begin() + static_cast<ptrdiff_t>(end)));
    spec.limits = {.items_max = end - begin, .bytes_max = SIZE_MAX, .examined_max = SIZE_MAX};
    spec.context = parts_.context;
    std::string continuation;
    do {
      ORRERY_ASSIGN(gateway::ScanResponse page,
                    parts_.gateway.Scan(parts_.container, spec, continuation));
      charge_ += page.charge;
      for (const item::ScannedItem& item : page.items) {
        const Value element = ReadElement(ElementKind::kVertex, item, rules());
        const auto at = places.find(query::RingOrder(item.key));
        if (element.is_null() || at == places.end()) continue;
        for (const size_t place : at->second) vertices[place] = element.AsVertex();
      }
      continuation = std::move(page.continuation);
    } while (!continuation.empty());
  }
  return vertices;
}

Status DocumentStore::ReadEdges(gateway::ScanSpec spec, std::span<const std::string> labels,
                                std::vector<std::shared_ptr<const Edge>>& edges) {
  ORRERY_ASSIGN(spec.filter, KindFilter(ElementKind::kEdge, labels));
  spec.limits.items_max = kEdgePage;
  spec.parallel_max = kPartitionsAtOnce;
  spec.context = parts_.context;
  std::string continuation;
  do {
    ORRERY_ASSIGN(gateway::ScanResponse page,
                  parts_.gateway.Scan(parts_.container, spec, continuation));
    charge_ += page.charge;
    for (const item::ScannedItem& item : page.items) {
      auto edge = ReadEdge(item.document, rules(), {.lsn = item.lsn, .time = item.time});
      if (edge != nullptr) edges.push_back(std::move(edge));
    }
    continuation = std::move(page.continuation);
  } while (!continuation.empty());
  return {};
}

Status DocumentStore::AddEdges(std::span<const std::string> ids, EdgeDirection direction,
                               const std::optional<gateway::KeyValues>& partition_key,
                               std::span<const std::string> labels,
                               std::vector<std::shared_ptr<const Edge>>& edges) {
  gateway::ScanSpec spec;
  spec.partition_key = partition_key;
  spec.index = AdjacencyRange(direction, ids, *parts_.container->schema);
  if (spec.index.has_value()) return ReadEdges(std::move(spec), labels, edges);
  // The container's policy has no such index.
  ORRERY_ASSIGN(const auto cursor,
                Scan(AdjacencyOf(direction, ids), partition_key, ElementKind::kEdge, labels));
  while (true) {
    Values found;
    ORRERY_TRY(cursor->Next(kEdgePage, found));
    if (found.empty()) return {};
    for (const Value& edge : found) edges.push_back(edge.AsEdge());
  }
}

// Edges that enter a vertex may be in any partition, and those of many vertices are looked up in
// all. Filters say where there are none.
Status DocumentStore::KeepFilters(EdgeDirection direction) {
  const gateway::ContainerEntry& container = *parts_.container;
  if (gateway::PartitionRanges(parts_.gateway, container).size() == 1) return {};
  const std::string_view field = direction == EdgeDirection::kOut ? kSourceField : kSinkField;
  const auto index = query::DocumentPath().Field(std::string(field)).IndexOf(*container.schema);
  if (!index.has_value()) return {};
  ORRERY_TRY(gateway::GrowValueFilters(parts_.gateway, container, *index, kFilterEntriesMax));
  return {};
}

Result<std::vector<std::shared_ptr<const Edge>>> DocumentStore::EdgesOf(
    std::span<const ElementKey> vertices, EdgeDirection direction,
    std::span<const std::string> labels) {
  if (vertices.empty()) return std::vector<std::shared_ptr<const Edge>>();
  if (parts_.lookups != nullptr) {
    ORRERY_ASSIGN(auto kept, LookUpEdges(vertices, direction, labels));
    if (kept.has_value()) return *std::move(kept);
  }
  if (parts_.read_mode == storage::ReadMode::kCachedOnly)
    return Fail(Code::kWouldBlock, "edges are read by blocking");
  const std::unordered_set<ElementKey, ElementKeyHash> wanted(vertices.begin(), vertices.end());
  std::vector<std::string> ids;
  std::vector<std::pair<Value, std::vector<std::string>>> groups;  // by partition
  std::unordered_map<Value, size_t, ValueHash, ValueEquivalent> group_of;
  for (const ElementKey& key : wanted) {
    ids.push_back(key.id);
    const auto [at, is_new] = group_of.emplace(key.partition, groups.size());
    if (is_new) groups.emplace_back(key.partition, std::vector<std::string>());
    groups[at->second].second.push_back(key.id);
  }
  std::ranges::sort(ids);
  ids.erase(std::ranges::unique(ids).begin(), ids.end());
  std::vector<std::shared_ptr<const Edge>> found;
  // Edges are with their sources: few logical partitions are read by themselves, many by the index
  // that each physical partition has.
  const bool by_partition =
      direction == EdgeDirection::kOut &&
      (groups.size() == 1 ||
       groups.size() <= gateway::PartitionRanges(parts_.gateway, *parts_.container).size());
  if (!by_partition) ORRERY_TRY(KeepFilters(direction));
  const auto look_up = [&](const std::vector<std::string>& some,
                           const std::optional<gateway::KeyValues>& partition) -> Status {
    for (size_t begin = 0; begin < some.size(); begin += query::kListedValuesMax) {
      const size_t count = std::min(query::kListedValuesMax, some.size() - begin);
      ORRERY_TRY(
          AddEdges(std::span(some).subspan(begin, count), direction, partition, labels, found));
    }
    return {};
  };
  if (by_partition) {
    for (const auto& [partition, some] : groups) {
      gateway::KeyValues key{PartitionValue(partition)};
      // A vertex and its edges, and nothing else, are one logical partition.
      if (rules().partition_is_id) {
        gateway::ScanSpec spec;
        spec.partition_key = std::move(key);
        ORRERY_TRY(ReadEdges(std::move(spec), labels, found));
      } else {
        ORRERY_TRY(look_up(some, std::move(key)));
      }
    }
  } else {
    ORRERY_TRY(look_up(ids, std::nullopt));
  }
  // Vertices of several partitions may have one id.
  std::erase_if(found, [&](const std::shared_ptr<const Edge>& edge) {
    return !wanted.contains((direction == EdgeDirection::kOut ? edge->out : edge->in).key());
  });
  return found;
}

}  // namespace orrery::gremlin
