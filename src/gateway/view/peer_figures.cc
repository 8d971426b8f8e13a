#include "gateway/view/peer_figures.h"

#include <algorithm>
#include <future>
#include <memory>
#include <string>
#include <utility>

namespace orrery::gateway {

FiguresByNode AskForFigures(cluster::Peers& peers, std::span<const NodeId> nodes,
                            cluster::FiguresDetail detail) {
  using Answer = Result<std::string>;
  std::vector<std::pair<NodeId, std::future<Answer>>> asked;
  for (const NodeId node : nodes) {
    auto promise = std::make_shared<std::promise<Answer>>();
    asked.emplace_back(node, promise->get_future());
    peers.Call(node, cluster::PeerMethod::kPartitionFigures, cluster::EncodeFiguresRequest(detail),
               kFiguresPatience,
               [promise](Answer answer) { promise->set_value(std::move(answer)); });
  }
  FiguresByNode figures;
  for (auto& [node, future] : asked) {
    const Answer answer = future.get();
    if (!answer.has_value()) continue;
    if (auto decoded = cluster::DecodeFigures(*answer); decoded.has_value())
      figures.emplace(node, *std::move(decoded));
  }
  return figures;
}

std::shared_ptr<const FiguresByNode> RecentFigures::Of(const std::set<NodeId>& nodes) {
  const Micros now = clock_.Monotonic();
  {
    MutexLock lock(mutex_);
    if (now < asked_at_ + kLast && std::ranges::includes(asked_, nodes)) return told_;
  }
  const std::vector<NodeId> list(nodes.begin(), nodes.end());
  FiguresByNode figures = AskForFigures(peers_, list);
  MutexLock lock(mutex_);
  for (const auto& [node, former] : *told_)
    if (nodes.contains(node)) figures.try_emplace(node, former);
  asked_ = nodes;
  asked_at_ = now;
  told_ = std::make_shared<const FiguresByNode>(std::move(figures));
  return told_;
}

const cluster::PartitionFigures* FindFigures(const FiguresByNode& figures, NodeId node,
                                             PartitionId partition) {
  const auto told = figures.find(node);
  if (told == figures.end()) return nullptr;
  const auto found = std::ranges::find(told->second, partition, &cluster::PartitionFigures::id);
  return found == told->second.end() ? nullptr : &*found;
}

}  // namespace orrery::gateway
