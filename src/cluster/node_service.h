// NodeService answers what other nodes of a cluster ask about this one's partitions: how large they
// are, to release, split or merge them. Each call runs on a thread of its own, as all of them may
// take a while.
//
// Thread-safe. `node` and `clock` must outlive it.
#pragma once

#include <string>
#include <vector>

#include "base/clock.h"
#include "base/thread_pool.h"
#include "cluster/node.h"
#include "cluster/peers.h"

namespace orrery::cluster {

class NodeService {
 public:
  NodeService(Node& node, const Clock& clock);
  ~NodeService();

  // kPartitionStatistics, kReleasePartition, kSplitPartition, kMergePartitions and
  // kPartitionsInUse, as PeerService::Serve has it.
  void Serve(PeerMethod method, std::string request, PeerService::Answer answer);
  void Stop();

 private:
  Result<std::string> Do(PeerMethod method, std::string_view request);

  Node& node_;
  const Clock& clock_;
  ThreadPool calls_;
};

// The requests. Answers are empty, but for a split (n:varint child:varint*n pause_us:varint), a
// merge (id:varint) and partitions in use (n:varint id:varint*n, in the request, too).
std::string EncodeRelease(PartitionId id);
std::string EncodeSplit(PartitionId id, std::optional<Hash128> cut);
std::string EncodeMerge(PartitionId left, PartitionId right);
Result<SplitResult> DecodeSplitResult(std::string_view bytes);
Result<PartitionId> DecodeMergeResult(std::string_view bytes);
inline constexpr size_t kAskedForUseMax = 10'000;
std::string EncodePartitions(const std::vector<PartitionId>& ids);
Result<std::vector<PartitionId>> DecodePartitions(std::string_view bytes);

}  // namespace orrery::cluster
