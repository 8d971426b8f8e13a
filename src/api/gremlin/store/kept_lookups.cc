// Look-ups of vertices by their keys and of edges by their ends, from memory where they are kept
// (docs/decisions/0060-decoded-lookups.md).
#include <algorithm>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "api/gremlin/store/document_store.h"
#include "api/gremlin/store/element_codec.h"
#include "api/gremlin/store/element_conditions.h"
#include "api/gremlin/value/relation.h"
#include "base/bytes.h"
#include "gateway/view/partition_ranges.h"

namespace orrery::gremlin {
namespace {

// The fields that writers note: enough for all look-ups here.
constexpr std::string_view kWatchedFields[] = {kSourceField, kSinkField};

// The memory of a decoded element is about this many times its document's.
constexpr size_t kDecodedTimes = 2;

size_t MemoryOf(const Vertex& vertex, const item::ReadItem& item) {
  return sizeof(Vertex) + vertex.properties.size() * sizeof(VertexProperty) +
         kDecodedTimes * item.document.bson().size();
}
size_t MemoryOf(const Edge& edge, const item::ReadItem& item) {
  return sizeof(Edge) + edge.properties.size() * sizeof(Property) +
         kDecodedTimes * item.document.bson().size();
}

void AppendPart(std::string& name, std::string_view part) {
  AppendBigEndian(name, static_cast<uint32_t>(part.size()));
  name += part;
}

bool HasOneOf(model::DocumentView document, std::span<const std::string> labels) {
  if (labels.empty()) return true;
  const auto label = document.Find("label");
  return label.has_value() && label->kind() == model::Kind::kString &&
         std::ranges::find(labels, label->AsString()) != labels.end();
}

}  // namespace

gateway::LookupStep::Parts DocumentStore::StepParts() const {
  return {.cache = parts_.lookups->cache,
          .gateway = parts_.gateway,
          .meters = parts_.lookups->meters,
          .container = *parts_.container,
          .clock = parts_.clock,
          .context = parts_.context,
          .mode = parts_.read_mode};
}

Result<std::string> DocumentStore::NameOf(char kind, const ElementKey& key) const {
  std::string name(1, kind);
  name.reserve(64);
  AppendBigEndian(name, parts_.container->id.value());
  // A string is itself; others, of which several are one key, by the key's bytes.
  if (key.partition.is_string()) {
    name.push_back('s');
    AppendPart(name, key.partition.AsString());
  } else {
    ORRERY_ASSIGN(const auto routed, parts_.gateway.RoutePartitionKey(
                                         *parts_.container, {PartitionValue(key.partition)}));
    name.push_back('k');
    AppendPart(name, routed.encoded);
  }
  AppendPart(name, key.id);
  return name;
}

Result<std::optional<std::vector<std::shared_ptr<const Vertex>>>> DocumentStore::LookUpVertices(
    std::span<const ElementKey> keys) {
  gateway::LookupStep step(StepParts());
  ORRERY_ASSIGN(const bool begun, step.Begin(kWatchedFields));
  if (!begun) return std::nullopt;
  const auto decode = [&](const item::ItemKey&, const item::ReadItem& item) {
    auto vertex = ReadVertex(item.document, rules(), {.lsn = item.lsn, .time = item.time});
    const size_t bytes = vertex == nullptr ? 0 : MemoryOf(*vertex, item);
    return gateway::LookupStep::Decoded{
        .lookup = 0, .value = std::move(vertex), .memory_bytes = bytes};
  };
  StopCheck stop(parts_.context);
  std::vector<std::shared_ptr<const Vertex>> vertices(keys.size());
  for (size_t i = 0; i < keys.size(); ++i) {
    if (stop.Step()) ORRERY_TRY(parts_.context.Check());
    auto name = NameOf('v', keys[i]);
    if (!name.has_value()) continue;  // what cannot be a key is the key of nothing
    ORRERY_ASSIGN(gateway::LookupStep::Answer answer, step.Find(*name));
    if (answer == nullptr) {
      auto routed =
          parts_.gateway.RoutePartitionKey(*parts_.container, {PartitionValue(keys[i].partition)});
      auto row_key =
          parts_.gateway.EncodeRowKey(*parts_.container, model::Value::String(keys[i].id));
      if (!routed.has_value() || !row_key.has_value()) continue;
      const item::ItemKey key{.hash = routed->hash,
                              .partition_key = std::move(routed->encoded),
                              .row_key = *std::move(row_key)};
      ORRERY_ASSIGN(answer, step.ReadItem(*std::move(name), key, decode));
    }
    if (!answer->values.empty())
      vertices[i] = std::static_pointer_cast<const Vertex>(answer->values.front());
  }
  ORRERY_TRY(step.End(charge_));
  return vertices;
}

Result<std::optional<std::vector<std::shared_ptr<const Edge>>>> DocumentStore::LookUpEdges(
    std::span<const ElementKey> vertices, EdgeDirection direction,
    std::span<const std::string> labels) {
  gateway::LookupStep step(StepParts());
  ORRERY_ASSIGN(const bool begun, step.Begin(kWatchedFields));
  if (!begun) return std::nullopt;
  std::vector<std::string> sorted(labels.begin(), labels.end());
  std::ranges::sort(sorted);
  const bool is_out = direction == EdgeDirection::kOut;
  const auto end_of = [&](const Edge& edge) -> const VertexStub& {
    return is_out ? edge.out : edge.in;
  };
  std::vector<std::shared_ptr<const Edge>> edges;
  const auto add = [&](const gateway::KeptAnswer& answer) {
    for (const std::shared_ptr<const void>& value : answer.values)
      edges.push_back(std::static_pointer_cast<const Edge>(value));
  };
  StopCheck stop(parts_.context);
  std::vector<gateway::LookupStep::Listed> missing;
  std::unordered_map<ElementKey, size_t, ElementKeyHash> lookup_of;  // of what is missing
  std::unordered_set<std::string> seen;
  for (const ElementKey& vertex : vertices) {
    if (stop.Step()) ORRERY_TRY(parts_.context.Check());
    auto name = NameOf(is_out ? 'o' : 'i', vertex);
    if (!name.has_value()) continue;  // what cannot be a key has no edges
    if (vertices.size() > 1 && !seen.insert(*name).second) continue;
    for (const std::string& label : sorted) AppendPart(*name, label);
    ORRERY_ASSIGN(const gateway::LookupStep::Answer answer, step.Find(*name));
    if (answer != nullptr) {
      add(*answer);
      continue;
    }
    std::optional<gateway::RoutedKey> key;
    if (is_out) {
      auto routed =
          parts_.gateway.RoutePartitionKey(*parts_.container, {PartitionValue(vertex.partition)});
      if (!routed.has_value()) continue;
      key = *std::move(routed);
    }
    lookup_of.emplace(vertex, missing.size());
    missing.push_back({.name = *std::move(name), .value = vertex.id, .key = std::move(key)});
  }
  if (!missing.empty()) {
    if (!is_out && parts_.read_mode == storage::ReadMode::kMayBlock)
      ORRERY_TRY(KeepFilters(direction));
    const auto range_of = [&](std::span<const std::string> ids) {
      return AdjacencyRange(direction, ids, *parts_.container->schema);
    };
    const auto decode = [&](const item::ItemKey&, const item::ReadItem& item) {
      gateway::LookupStep::Decoded decoded;
      if (!IsEdge(item.document) || !HasOneOf(item.document, sorted)) return decoded;
      auto edge = ReadEdge(item.document, rules(), {.lsn = item.lsn, .time = item.time});
      if (edge == nullptr) return decoded;
      // Vertices of several partitions may have one id.
      const auto found = lookup_of.find(end_of(*edge).key());
      if (found == lookup_of.end()) return decoded;
      decoded.lookup = found->second;
      decoded.memory_bytes = MemoryOf(*edge, item);
      decoded.value = std::move(edge);
      return decoded;
    };
    ORRERY_ASSIGN(const auto answers,
                  step.ReadListed(missing, is_out ? kSourceField : kSinkField, range_of, decode));
    if (!answers.has_value()) return std::nullopt;  // the container has no such index
    for (const gateway::LookupStep::Answer& answer : *answers) add(*answer);
  }
  ORRERY_TRY(step.End(charge_));
  return edges;
}

}  // namespace orrery::gremlin
