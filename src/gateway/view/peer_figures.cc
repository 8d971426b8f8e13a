#include "gateway/view/peer_figures.h"

#include <algorithm>
#include <future>
#include <memory>
#include <string>
#include <utility>

namespace orrery::gateway {

FiguresByNode AskForFigures(cluster::Peers& peers, std::span<const NodeId> nodes) {
  using Answer = Result<std::string>;
  std::vector<std::pair<NodeId, std::future<Answer>>> asked;
  for (const NodeId node : nodes) {
    auto promise = std::make_shared<std::promise<Answer>>();
    asked.emplace_back(node, promise->get_future());
    peers.Call(node, cluster::PeerMethod::kPartitionFigures, {}, kFiguresPatience,
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

const cluster::PartitionFigures* FindFigures(const FiguresByNode& figures, NodeId node,
                                             PartitionId partition) {
  const auto told = figures.find(node);
  if (told == figures.end()) return nullptr;
  const auto found = std::ranges::find(told->second, partition, &cluster::PartitionFigures::id);
  return found == told->second.end() ? nullptr : &*found;
}

}  // namespace orrery::gateway
