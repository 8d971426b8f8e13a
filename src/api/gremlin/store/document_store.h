// A DocumentStore is a graph in a container of documents (element_codec.h), read and written
// through the gateway and the document engine.
//
// A vertex is in the partition of its partition key, or of its id where the graph has none of the
// user's; an edge is with its source. So edges that leave a vertex are in one logical partition,
// and edges that enter it are found by an index over their targets, in the physical partitions
// that may have any (item/index/value_filters.h).
//
// Used by one thread, for one request; it blocks. Everything it refers to must outlive it.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "api/gremlin/graph/graph_store.h"
#include "base/request_context.h"
#include "gateway/gateway.h"
#include "gateway/lookup/lookup_cache.h"
#include "gateway/lookup/lookup_step.h"
#include "query/access/access_path.h"

namespace orrery::gremlin {

// The partition key of graphs that have none of their user's.
inline constexpr std::string_view kOwnPartitionKey = "_pk";

// kInvalidArgument says why a container cannot be a graph.
Result<GraphRules> RulesOf(const gateway::ContainerEntry& container);

// KeptLookups are the look-ups in memory that all requests share.
struct KeptLookups {
  KeptLookups(size_t bytes_max, const Clock& clock, MetricsRegistry& metrics, bool meters)
      : cache(bytes_max), meters(clock, metrics, meters) {}

  gateway::LookupCache cache;
  const gateway::LookupMeters meters;
};

class DocumentStore final : public GraphStore {
 public:
  struct Parts {
    gateway::Gateway& gateway;
    gateway::ContainerRef container;
    GraphRules rules;  // of the container
    const Clock& clock;
    const RequestContext& context;
    // With kCachedOnly look-ups answer kWouldBlock instead of blocking: GetVertices and EdgesOf
    // with `lookups`, GetVertices of one key without.
    storage::ReadMode read_mode = storage::ReadMode::kMayBlock;
    KeptLookups* lookups = nullptr;  // null: nothing is kept in memory
  };
  explicit DocumentStore(Parts parts) : parts_(std::move(parts)) {}

  const GraphRules& rules() const override { return parts_.rules; }
  Result<std::unique_ptr<ElementCursor>> Find(const ElementQuery& query) override;
  Result<std::vector<std::shared_ptr<const Vertex>>> GetVertices(
      std::span<const ElementKey> keys) override;
  Result<std::vector<std::shared_ptr<const Edge>>> EdgesOf(
      std::span<const ElementKey> vertices, EdgeDirection direction,
      std::span<const std::string> labels) override;
  Result<std::optional<int64_t>> Count(const ElementQuery& query) override;
  Status Commit(std::span<const ElementChange> changes, bool& committed) override;
  RequestUnits charge() const override { return charge_; }

 private:
  class ScanCursor;
  class PartsCursor;
  friend class ScanCursor;

  // Elements of one kind that meet the conditions, in one logical partition or in all.
  Result<std::unique_ptr<ElementCursor>> Scan(const query::Conditions& conditions,
                                              std::optional<gateway::KeyValues> partition_key,
                                              ElementKind kind,
                                              std::span<const std::string> labels);
  // From memory where they are kept (kept_lookups.cc); nullopt if nothing can be kept of this
  // container.
  Result<std::optional<std::vector<std::shared_ptr<const Vertex>>>> LookUpVertices(
      std::span<const ElementKey> keys);
  Result<std::optional<std::vector<std::shared_ptr<const Edge>>>> LookUpEdges(
      std::span<const ElementKey> vertices, EdgeDirection direction,
      std::span<const std::string> labels);
  gateway::LookupStep::Parts StepParts() const;
  // Of a look-up; told from those of all others.
  Result<std::string> NameOf(char kind, const ElementKey& key) const;

  // Null if there is none.
  Result<std::shared_ptr<const Vertex>> GetVertex(const ElementKey& key);
  Status KeepFilters(EdgeDirection direction);
  // Adds the edges of these vertices, of one logical partition or of all.
  Status AddEdges(std::span<const std::string> ids, EdgeDirection direction,
                  const std::optional<gateway::KeyValues>& partition_key,
                  std::span<const std::string> labels,
                  std::vector<std::shared_ptr<const Edge>>& edges);
  // Adds all edges that a scan finds, in no order.
  Status ReadEdges(gateway::ScanSpec spec, std::span<const std::string> labels,
                   std::vector<std::shared_ptr<const Edge>>& edges);

  const Parts parts_;
  RequestUnits charge_;
};

}  // namespace orrery::gremlin
