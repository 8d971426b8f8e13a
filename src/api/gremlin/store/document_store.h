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
#include <span>
#include <string>
#include <vector>

#include "api/gremlin/graph/graph_store.h"
#include "base/request_context.h"
#include "gateway/gateway.h"
#include "query/access/access_path.h"

namespace orrery::gremlin {

// The partition key of graphs that have none of their user's.
inline constexpr std::string_view kOwnPartitionKey = "_pk";

// kInvalidArgument says why a container cannot be a graph.
Result<GraphRules> RulesOf(const gateway::ContainerEntry& container);

class DocumentStore final : public GraphStore {
 public:
  struct Parts {
    gateway::Gateway& gateway;
    gateway::ContainerRef container;
    GraphRules rules;  // of the container
    const Clock& clock;
    const RequestContext& context;
    // With kCachedOnly look-ups of one vertex by its key answer kWouldBlock instead of blocking.
    storage::ReadMode read_mode = storage::ReadMode::kMayBlock;
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
