#include "gateway/view/ring_view.h"

#include <algorithm>
#include <map>

#include "gateway/view/token_plan.h"
#include "partition/key/cassandra_key.h"

namespace orrery::gateway {
namespace {

// A table alone on its partitions weighs as much as these are; tables that share partitions share
// that weight.
constexpr uint64_t kPartitionWeight = 1'000'000;

std::vector<ContainerRef> TablesOf(const CatalogSnapshot& catalog) {
  std::vector<ContainerRef> tables;
  catalog.by_id.ForEach([&](ContainerId, const ContainerRef& entry) {
    if (entry->settings.hashing == partition::KeyHashing::kCassandra) tables.push_back(entry);
  });
  return tables;
}

std::vector<TableVote> VotesOf(const CatalogSnapshot& catalog, const cluster::Topology& topology,
                               NodeId self) {
  const std::vector<ContainerRef> tables = TablesOf(catalog);
  std::map<cluster::ThroughputOwner, uint64_t> partitions;
  for (const auto& record : topology.Records()) ++partitions[record->throughput_owner];
  std::map<cluster::ThroughputOwner, uint64_t> sharers;
  for (const ContainerRef& table : tables) ++sharers[table->throughput_owner];

  std::vector<TableVote> votes;
  for (const ContainerRef& table : tables) {
    TableVote vote;
    vote.weight =
        kPartitionWeight * partitions[table->throughput_owner] / sharers[table->throughput_owner];
    for (const partition::RangeEntry& range : topology.map->Ranges(table->id)) {
      NodeId owner = self;
      if (const auto remote = topology.remote.find(range.partition);
          remote != topology.remote.end()) {
        owner = remote->second.owner;
      }
      const int64_t last = partition::CassandraToken(range.range.last());
      // Partitions may meet within a token: clients see the first of them.
      if (vote.parts.empty() || vote.parts.back().last_token < last)
        vote.parts.push_back({last, owner});
    }
    if (!vote.parts.empty()) votes.push_back(std::move(vote));
  }
  return votes;
}

// Those that Cassandra's clients can reach; a process that was started again is known by its newest
// number.
std::map<NodeId, ClusterNode> Reachable(const std::vector<ClusterNode>& nodes) {
  std::map<std::string, const ClusterNode*> newest;
  for (const ClusterNode& node : nodes) {
    if (node.cassandra_port == 0) continue;
    const ClusterNode*& known = newest[node.host_id];
    if (known == nullptr || known->id < node.id) known = &node;
  }
  std::map<NodeId, ClusterNode> reachable;
  for (const auto& [host, node] : newest) reachable.emplace(node->id, *node);
  return reachable;
}

// By what owns them: that outlives the picture itself.
bool IsOf(const std::weak_ptr<const cluster::Topology>& former,
          const std::shared_ptr<const cluster::Topology>& topology) {
  return !former.owner_before(topology) && !topology.owner_before(former);
}

}  // namespace

std::shared_ptr<const Ring> RingView::Look() {
  const ClusterNodes nodes = cluster_.Nodes();
  const auto snapshot = catalog_.snapshot();
  const auto topology = node_.topology();
  MutexLock lock(mutex_);
  if (ring_ != nullptr && nodes.get() == nodes_.get() && snapshot.get() == snapshot_.get() &&
      IsOf(topology_, topology)) {
    return ring_;
  }
  const std::map<NodeId, ClusterNode> reachable = Reachable(*nodes);
  std::vector<NodeId> ids;
  for (const auto& [id, node] : reachable) ids.push_back(id);
  std::map<NodeId, std::set<int64_t>> tokens;
  for (const auto& [token, id] : PlanTokens(VotesOf(*snapshot, *topology, self()), ids))
    tokens[id].insert(token);
  auto ring = std::make_shared<Ring>();
  for (const auto& [id, node] : reachable) ring->push_back({node, std::move(tokens[id])});
  nodes_ = nodes;
  snapshot_ = snapshot;
  topology_ = topology;
  ring_ = std::move(ring);
  return ring_;
}

}  // namespace orrery::gateway
