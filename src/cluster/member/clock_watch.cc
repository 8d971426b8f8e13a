#include "cluster/member/clock_watch.h"

#include <limits>

#include "base/bytes.h"
#include "base/log.h"

namespace orrery::cluster {

std::string EncodeTime(Micros time) {
  std::string bytes;
  AppendVarint(bytes, static_cast<uint64_t>(time.count()));
  return bytes;
}

Result<Micros> DecodeTime(std::string_view bytes) {
  ByteReader reader(bytes);
  uint64_t time = 0;
  // Half of the range, so that differences do not overflow.
  if (!reader.ReadVarint(time) || !reader.empty() ||
      time > std::numeric_limits<int64_t>::max() / 2) {
    return Fail(Code::kInvalidArgument, "a time that cannot be read");
  }
  return Micros(static_cast<int64_t>(time));
}

void ClockWatch::Look(std::span<const NodeId> nodes) {
  for (const NodeId node : nodes) {
    const Micros begin = clock_.Now();
    const Micros begin_steady = clock_.Monotonic();
    const auto answer = peers_.CallAndWait(node, PeerMethod::kTellTime, {}, kPatience);
    if (!answer.has_value()) continue;
    const auto theirs = DecodeTime(*answer);
    if (!theirs.has_value()) continue;
    const Micros uncertain = (clock_.Monotonic() - begin_steady) / 2;
    Judge(node, *theirs - (begin + uncertain), uncertain);
  }
  const std::set<NodeId> present(nodes.begin(), nodes.end());
  MutexLock lock(mutex_);
  std::erase_if(ahead_, [&](const auto& entry) { return !present.contains(entry.first); });
  std::erase_if(wrong_, [&](NodeId node) { return !present.contains(node); });
}

void ClockWatch::Judge(NodeId node, Micros ahead, Micros uncertain) {
  const bool wrong = std::chrono::abs(ahead) - uncertain > kToleratedMax;
  bool news = false;
  {
    MutexLock lock(mutex_);
    ahead_[node] = ahead;
    news = wrong ? wrong_.insert(node).second : wrong_.erase(node) != 0;
  }
  if (!news) return;
  if (!wrong) {
    LogInfo("the clock of node {} agrees with this one's again", node.value());
    return;
  }
  LogWarn(
      "the clock of node {} is {:.1f} s {} this one's: writes through the two may be ordered "
      "wrongly; let both machines follow the same time servers (NTP)",
      node.value(), static_cast<double>(std::chrono::abs(ahead).count()) / 1e6,
      ahead > Micros(0) ? "ahead of" : "behind");
}

std::optional<Micros> ClockWatch::Ahead(NodeId node) const {
  MutexLock lock(mutex_);
  const auto found = ahead_.find(node);
  if (found == ahead_.end()) return std::nullopt;
  return found->second;
}

std::set<NodeId> ClockWatch::Wrong() const {
  MutexLock lock(mutex_);
  return wrong_;
}

}  // namespace orrery::cluster
