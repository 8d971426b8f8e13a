#include "cluster/member/clock_watch.h"

#include <algorithm>
#include <limits>
#include <vector>

#include "base/bytes.h"
#include "base/log.h"

namespace orrery::cluster {
namespace {

bool ReadTime(ByteReader& reader, Micros& time) {
  uint64_t value = 0;
  // Half of the range, so that differences do not overflow.
  if (!reader.ReadVarint(value) || value > std::numeric_limits<int64_t>::max() / 2) return false;
  time = Micros(static_cast<int64_t>(value));
  return true;
}

}  // namespace

TimesTold TellTimes(const SteeredClock& clock) {
  const Micros machine = clock.machine().Now();
  return {.machine = machine, .cluster = machine + clock.correction()};
}

std::string EncodeTimes(const TimesTold& times) {
  std::string bytes;
  AppendVarint(bytes, static_cast<uint64_t>(times.machine.count()));
  AppendVarint(bytes, static_cast<uint64_t>(times.cluster.count()));
  return bytes;
}

Result<TimesTold> DecodeTimes(std::string_view bytes) {
  ByteReader reader(bytes);
  TimesTold times;
  if (!ReadTime(reader, times.machine) || !ReadTime(reader, times.cluster) || !reader.empty())
    return Fail(Code::kInvalidArgument, "a time that cannot be read");
  return times;
}

std::optional<ClockWatch::Measured> ClockWatch::Measure(NodeId node) {
  const Micros begin = clock_.machine().Now();
  const Micros begin_steady = clock_.Monotonic();
  const auto answer = peers_.CallAndWait(node, PeerMethod::kTellTime, {}, kPatience);
  if (!answer.has_value()) return std::nullopt;
  const auto theirs = DecodeTimes(*answer);
  if (!theirs.has_value()) return std::nullopt;
  const Micros uncertain = (clock_.Monotonic() - begin_steady) / 2;
  const Micros here = begin + uncertain;
  return Measured{theirs->machine - here, theirs->cluster - here, uncertain};
}

Micros ClockWatch::Correction(const std::map<NodeId, Measured>& measured, NodeId manager) const {
  const Micros present = clock_.correction();
  Micros wanted = present;
  Micros uncertain{0};
  if (manager == self_) {
    std::vector<Micros> machines = {Micros(0)};
    for (const auto& [node, each] : measured) {
      machines.push_back(each.machine_ahead);
      uncertain = std::max(uncertain, each.uncertain);
    }
    std::ranges::sort(machines);
    wanted =
        std::clamp(present, machines[(machines.size() - 1) / 2], machines[machines.size() / 2]);
  } else if (const auto found = measured.find(manager); found != measured.end()) {
    wanted = found->second.cluster_ahead;
    uncertain = found->second.uncertain;
  }
  return std::chrono::abs(wanted - present) > uncertain ? wanted : present;
}

void ClockWatch::Look(std::span<const NodeId> others, NodeId manager) {
  std::map<NodeId, Measured> measured;
  for (const NodeId node : others)
    if (const auto found = Measure(node)) measured.emplace(node, *found);
  clock_.Steer(Correction(measured, manager));
  const Micros correction = clock_.correction();
  for (const auto& [node, each] : measured)
    Judge(node, each.machine_ahead - correction, each.uncertain);
  Judge(self_, -correction, Micros(0));
  std::set<NodeId> present(others.begin(), others.end());
  present.insert(self_);
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
  const char* const whose = node == self_ ? " (this one)" : "";
  if (!wrong) {
    LogInfo("the clock of node {}{} agrees with the cluster's time again", node.value(), whose);
    return;
  }
  LogWarn(
      "the clock of node {}{} is {:.1f} s {} the cluster's time, by which it goes instead: let the "
      "machines of all nodes follow the same time servers (NTP)",
      node.value(), whose, static_cast<double>(std::chrono::abs(ahead).count()) / 1e6,
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
