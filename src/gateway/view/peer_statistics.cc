#include "gateway/view/peer_statistics.h"

#include <algorithm>
#include <future>
#include <memory>
#include <string>
#include <utility>

namespace orrery::gateway {

StatisticsByNode AskForStatistics(cluster::Peers& peers, std::span<const NodeId> nodes,
                                  cluster::StatisticsDetail detail) {
  using Answer = Result<std::string>;
  std::vector<std::pair<NodeId, std::future<Answer>>> asked;
  for (const NodeId node : nodes) {
    auto promise = std::make_shared<std::promise<Answer>>();
    asked.emplace_back(node, promise->get_future());
    peers.Call(node, cluster::PeerMethod::kPartitionStatistics,
               cluster::EncodeStatisticsRequest(detail), kStatisticsPatience,
               [promise](Answer answer) { promise->set_value(std::move(answer)); });
  }
  StatisticsByNode statistics;
  for (auto& [node, future] : asked) {
    const Answer answer = future.get();
    if (!answer.has_value()) continue;
    if (auto decoded = cluster::DecodeStatistics(*answer); decoded.has_value())
      statistics.emplace(node, *std::move(decoded));
  }
  return statistics;
}

std::shared_ptr<const StatisticsByNode> RecentStatistics::Of(const std::set<NodeId>& nodes) {
  const Micros now = clock_.Monotonic();
  {
    MutexLock lock(mutex_);
    if (now < asked_at_ + kLast && std::ranges::includes(asked_, nodes)) return told_;
  }
  const std::vector<NodeId> list(nodes.begin(), nodes.end());
  StatisticsByNode statistics = AskForStatistics(peers_, list);
  MutexLock lock(mutex_);
  for (const auto& [node, former] : *told_)
    if (nodes.contains(node)) statistics.try_emplace(node, former);
  asked_ = nodes;
  asked_at_ = now;
  told_ = std::make_shared<const StatisticsByNode>(std::move(statistics));
  return told_;
}

const cluster::PartitionStatistics* FindStatistics(const StatisticsByNode& statistics, NodeId node,
                                                   PartitionId partition) {
  const auto told = statistics.find(node);
  if (told == statistics.end()) return nullptr;
  const auto found = std::ranges::find(told->second, partition, &cluster::PartitionStatistics::id);
  return found == told->second.end() ? nullptr : &*found;
}

}  // namespace orrery::gateway
