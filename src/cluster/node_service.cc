#include "cluster/node_service.h"

#include "base/bytes.h"
#include "cluster/partition_statistics.h"

namespace orrery::cluster {
namespace {

constexpr size_t kNodeCallThreads = 4;
constexpr size_t kNodeCallQueueMax = 1'024;

}  // namespace

std::string EncodeRelease(PartitionId id) {
  std::string bytes;
  AppendVarint(bytes, id.value());
  return bytes;
}

std::string EncodeSplit(PartitionId id, std::optional<Hash128> cut) {
  std::string bytes;
  AppendVarint(bytes, id.value());
  if (cut.has_value()) cut->AppendTo(bytes);
  return bytes;
}

std::string EncodeMerge(PartitionId left, PartitionId right) {
  std::string bytes;
  AppendVarint(bytes, left.value());
  AppendVarint(bytes, right.value());
  return bytes;
}

Result<SplitResult> DecodeSplitResult(std::string_view bytes) {
  ByteReader reader(bytes);
  uint64_t count = 0;
  SplitResult result;
  bool whole = reader.ReadVarint(count);
  for (uint64_t i = 0; whole && i < count; ++i) {
    uint64_t id = 0;
    whole = reader.ReadVarint(id);
    result.children.emplace_back(id);
  }
  uint64_t pause = 0;
  if (!whole || !reader.ReadVarint(pause) || !reader.empty() ||
      pause > static_cast<uint64_t>(Micros::max().count())) {
    return UnreadableMessage();
  }
  result.pause = Micros(static_cast<int64_t>(pause));
  return result;
}

Result<PartitionId> DecodeMergeResult(std::string_view bytes) {
  ByteReader reader(bytes);
  uint64_t id = 0;
  if (!reader.ReadVarint(id) || !reader.empty()) return UnreadableMessage();
  return PartitionId(id);
}

std::string EncodePartitions(const std::vector<PartitionId>& ids) {
  std::string bytes;
  AppendVarint(bytes, ids.size());
  for (const PartitionId id : ids) AppendVarint(bytes, id.value());
  return bytes;
}

Result<std::vector<PartitionId>> DecodePartitions(std::string_view bytes) {
  ByteReader reader(bytes);
  uint64_t count = 0;
  if (!reader.ReadVarint(count) || count > kAskedForUseMax) return UnreadableMessage();
  std::vector<PartitionId> ids;
  for (uint64_t i = 0; i < count; ++i) {
    uint64_t id = 0;
    if (!reader.ReadVarint(id)) return UnreadableMessage();
    ids.emplace_back(id);
  }
  if (!reader.empty()) return UnreadableMessage();
  return ids;
}

NodeService::NodeService(Node& node, const Clock& clock)
    : node_(node), clock_(clock), calls_("node calls", kNodeCallThreads, kNodeCallQueueMax) {}

NodeService::~NodeService() { Stop(); }

void NodeService::Stop() { calls_.Stop(); }

Result<std::string> NodeService::Do(PeerMethod method, std::string_view request) {
  if (method == PeerMethod::kPartitionStatistics)
    return EncodeStatistics(
        StatisticsOf(*node_.topology(), clock_.Monotonic(), DecodeStatisticsRequest(request)));
  if (method == PeerMethod::kPartitionsInUse) {
    ORRERY_ASSIGN(const std::vector<PartitionId> asked, DecodePartitions(request));
    return EncodePartitions(node_.InUse(asked));
  }
  ByteReader reader(request);
  uint64_t id = 0;
  if (!reader.ReadVarint(id)) return UnreadableMessage();
  std::string answer;
  switch (method) {
    case PeerMethod::kReleasePartition: {
      if (!reader.empty()) return UnreadableMessage();
      ORRERY_TRY(node_.Release(PartitionId(id)));
      return answer;
    }
    case PeerMethod::kSplitPartition: {
      std::optional<Hash128> cut;
      if (!reader.empty()) {
        std::string_view bytes;
        if (!reader.ReadBytes(Hash128::kBytes, bytes) || !reader.empty())
          return UnreadableMessage();
        cut = Hash128::Load(bytes.data());
      }
      ORRERY_ASSIGN(const SplitResult result, node_.Split(PartitionId(id), cut));
      AppendVarint(answer, result.children.size());
      for (const PartitionId child : result.children) AppendVarint(answer, child.value());
      AppendVarint(answer, static_cast<uint64_t>(result.pause.count()));
      return answer;
    }
    case PeerMethod::kMergePartitions: {
      uint64_t right = 0;
      if (!reader.ReadVarint(right) || !reader.empty()) return UnreadableMessage();
      ORRERY_ASSIGN(const PartitionId merged, node_.Merge(PartitionId(id), PartitionId(right)));
      AppendVarint(answer, merged.value());
      return answer;
    }
    default:
      return Fail(Code::kUnsupported, "not a call of a node's partitions");
  }
}

void NodeService::Serve(PeerMethod method, std::string request, PeerService::Answer answer) {
  auto shared = std::make_shared<PeerService::Answer>(std::move(answer));
  const bool taken = calls_.Submit(
      [this, method, shared, request = std::move(request)] { (*shared)(Do(method, request)); });
  if (!taken) (*shared)(Fail(Code::kOverloaded, "the node is stopping or has too many calls"));
}

}  // namespace orrery::cluster
