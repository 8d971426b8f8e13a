#include "gateway/snapshot/commit_run.h"

#include <chrono>
#include <latch>
#include <memory>
#include <thread>
#include <utility>

#include "base/has_code.h"
#include "base/log.h"

namespace orrery::gateway {
namespace {

// Looks at a container whose writers are held up, for a few seconds.
constexpr std::chrono::milliseconds kPauseLook{2};
constexpr int kPauseLooksMax = 2'500;

std::vector<const LogicalWrites*> AllOf(const TransactionWrites& writes) {
  std::vector<const LogicalWrites*> all;
  for (const LogicalWrites& logical : writes.logical()) all.push_back(&logical);
  return all;
}

}  // namespace

std::string CommitPlace::Key() const {
  std::string key;
  item::WriteCommitKey(key, container, hash, number);
  return key;
}

CommitRun::CommitRun(const Parts& parts, const TransactionWrites& writes, uint64_t number)
    : parts_(parts), writes_(writes), number_(number) {}

CommitPlace CommitRun::RecordPlace() const {
  const LogicalWrites& first = writes_.logical().front();
  return {first.container, first.hash, number_};
}

std::vector<CommitPlace> CommitRun::MarkPlaces() const {
  std::vector<CommitPlace> places;
  for (const LogicalWrites& logical : writes_.logical())
    places.push_back({logical.container, logical.hash, number_ + 1});
  return places;
}

Result<RoutedWrite> CommitRun::Route(ContainerId container, Hash128 hash) const {
  for (int waits = 0;; ++waits) {
    const auto snapshot = parts_.catalog.snapshot();
    const ContainerRef* const entry = snapshot->by_id.Find(container);
    if (entry == nullptr)
      return Fail(Code::kNotFound, "a container of the transaction was dropped");
    Result<WriteAdmission> admission = parts_.router.Enter(*entry);
    if (HasCode(admission, Code::kWouldBlock) && waits < kPauseLooksMax) {
      // A move holds the container's writers up (move/move_pause.h).
      std::this_thread::sleep_for(kPauseLook);
      continue;
    }
    if (!admission.has_value()) return Fail(std::move(admission).error());
    // What it costs is owed: it was admitted statement by statement.
    return parts_.router.Admit(*std::move(admission), hash, std::nullopt);
  }
}

Result<std::vector<CommitRun::Group>> CommitRun::RouteAll(
    const std::vector<const LogicalWrites*>& logical) const {
  std::vector<Group> groups;
  for (const LogicalWrites* const one : logical) {
    ORRERY_ASSIGN(RoutedWrite routed, Route(one->container, one->hash));
    auto group = groups.begin();
    while (group != groups.end() &&
           group->members.front().routed.partition->id() != routed.partition->id())
      ++group;
    if (group == groups.end()) group = groups.emplace(groups.end());
    group->members.push_back({one, std::move(routed)});
  }
  return groups;
}

void CommitRun::RunAll(std::vector<Group>& groups, Act act) {
  std::latch finished(static_cast<ptrdiff_t>(groups.size()));
  std::vector<RequestUnits> charges(groups.size());
  for (size_t i = 0; i < groups.size(); ++i) {
    Group& group = groups[i];
    cluster::HostedPartition& partition = *group.members.front().routed.partition;
    item::TransactionGroup::Parts parts{
        .transactions = {},
        .entries = act == Act::kDo ? group.entries : decltype(group.entries){},
        .act = act};
    for (const Member& member : group.members) {
      if (member.logical == nullptr) continue;
      item::TransactionRequest& request = parts.transactions.emplace_back();
      request.schema = member.routed.admission.container().schema;
      request.hash = member.logical->hash;
      request.partition_key = member.logical->partition_key;
      request.operations = member.logical->operations;
    }
    partition.sequencer().Submit(std::make_unique<item::TransactionGroup>(
        std::move(parts), partition.ledger(),
        [&, i](const std::unique_ptr<item::TransactionGroup>& self, Status status) {
          for (const auto& transaction : self->transactions()) charges[i] += transaction->charge();
          groups[i].is_unmet = self->is_unmet();
          groups[i].done = std::move(status);
          finished.count_down();
        }));
  }
  finished.wait();
  for (size_t i = 0; i < groups.size(); ++i) {
    Group& group = groups[i];
    if (group.done.has_value()) {
      if (Status lease = group.members.front().routed.partition->CheckLease(); !lease.has_value())
        group.done = std::move(lease);
    }
    if (act == Act::kTry || !group.done.has_value()) continue;
    charge_ += charges[i];
    for (Member& member : group.members) {
      if (member.logical == nullptr) continue;
      parts_.router.End(member.routed, member.logical->partition_key,
                        &member == &group.members.front() ? charges[i] : RequestUnits());
    }
  }
}

CommitRun::Ending CommitRun::Commit(const item::TransactionGroup::Entry& receipt) {
  for (int moves = 0; moves <= WriteRouter::kMovesMax; ++moves) {
    auto groups = RouteAll(AllOf(writes_));
    if (!groups.has_value()) return {End::kNothing, Fail(std::move(groups).error())};
    Ending result;
    if (groups->size() == 1) {
      groups->front().entries.push_back(receipt);
      RunAll(*groups, Act::kDo);
      result.status = std::move(groups->front().done);
      if (result.status.has_value()) return {End::kWritten, {}};
      // A write that failed may have come to the disk: its receipt will tell.
      if (result.status.error().code() == Code::kUnavailable) result.end = End::kUndecided;
    } else {
      result = CommitSeveral(*groups, receipt);
    }
    if (!HasCode(result.status, Code::kMoved) || result.end != End::kNothing) return result;
  }
  return {End::kNothing,
          Fail(Code::kUnavailable, "the partitions split again and again during the commit")};
}

CommitRun::Ending CommitRun::CommitSeveral(std::vector<Group>& groups,
                                           const item::TransactionGroup::Entry& receipt) {
  if (parts_.in_cluster) {
    return {End::kNothing, Fail(Code::kUnsupported,
                                "transactions that write to several physical partitions are not "
                                "supported on a cluster of nodes")};
  }
  RunAll(groups, Act::kTry);
  for (Group& group : groups)
    if (!group.done.has_value()) return {End::kNothing, std::move(group.done)};
  Status decided = Decide(receipt);
  if (!decided.has_value()) {
    // Only a write that failed may have come to the disk.
    const bool may_be = decided.error().code() == Code::kUnavailable;
    return {may_be ? End::kUndecided : End::kNothing, std::move(decided)};
  }
  std::vector<PartitionId> partitions;
  for (const Group& group : groups)
    partitions.push_back(group.members.front().routed.partition->id());
  const CommitRooms::Stay stay(parts_.rooms, CommitRooms::Room::kCommits);
  const CommitBarrier::Mark mark(parts_.barrier, std::move(partitions));
  Status written = WriteAll(std::move(groups));
  return {written.has_value() ? End::kRecorded : End::kDecided, std::move(written)};
}

Status CommitRun::Decide(const item::TransactionGroup::Entry& receipt) {
  const CommitPlace place = RecordPlace();
  return Store({place.container, place.hash}, {{place.Key(), writes_.Encode()}, receipt});
}

Status CommitRun::Store(const LogicalPlace& place, std::vector<Entry> entries) {
  Status last;
  for (int moves = 0; moves <= WriteRouter::kMovesMax; ++moves) {
    ORRERY_ASSIGN(RoutedWrite routed, Route(place.container, place.hash));
    std::vector<Group> group(1);
    group.front().members.push_back({nullptr, std::move(routed)});
    group.front().entries = entries;
    RunAll(group, Act::kDo);
    last = std::move(group.front().done);
    if (!HasCode(last, Code::kMoved)) break;
  }
  return last;
}

Status CommitRun::WriteAll(std::vector<Group> groups) {
  for (int moves = 0; moves <= WriteRouter::kMovesMax; ++moves) {
    for (Group& group : groups) {
      for (const Member& member : group.members) {
        const CommitPlace mark{member.logical->container, member.logical->hash, number_ + 1};
        group.entries.push_back({mark.Key(), std::string()});
      }
    }
    RunAll(groups, Act::kDo);
    std::vector<const LogicalWrites*> left;
    Status failed;
    for (const Group& group : groups) {
      if (group.done.has_value()) continue;
      if (group.done.error().code() != Code::kMoved) failed = Fail(group.done.error());
      for (const Member& member : group.members) left.push_back(member.logical);
    }
    if (left.empty()) return {};
    if (!failed.has_value()) return failed;
    ORRERY_ASSIGN(groups, RouteAll(left));
  }
  return Fail(Code::kUnavailable, "the partitions split again and again during the commit");
}

CommitRun::Ending CommitRun::Prepare(const std::function<Entry(const LogicalWrites&)>& entry_of) {
  bool is_stored = false;
  for (int moves = 0; moves <= WriteRouter::kMovesMax; ++moves) {
    const End nothing = is_stored ? End::kUndecided : End::kNothing;
    auto groups = RouteAll(AllOf(writes_));
    if (!groups.has_value()) return {nothing, Fail(std::move(groups).error())};
    bool moved = false;
    const auto failure = [&]() -> Status {
      for (Group& group : *groups) {
        if (group.done.has_value()) continue;
        if (group.done.error().code() != Code::kMoved) return std::move(group.done);
        moved = true;
      }
      return {};
    };
    RunAll(*groups, Act::kTry);
    if (Status failed = failure(); !failed.has_value()) return {nothing, std::move(failed)};
    if (moved) continue;
    for (Group& group : *groups) {
      for (Member& member : group.members) {
        group.entries.push_back(entry_of(*member.logical));
        member.logical = nullptr;
      }
    }
    is_stored = true;
    RunAll(*groups, Act::kDo);
    if (Status failed = failure(); !failed.has_value()) return {End::kUndecided, std::move(failed)};
    if (!moved) return {End::kRecorded, {}};
  }
  return {is_stored ? End::kUndecided : End::kNothing,
          Fail(Code::kUnavailable, "the partitions split again and again during the commit")};
}

Status CommitRun::Resolve(bool writes) {
  std::vector<const LogicalWrites*> left = AllOf(writes_);
  bool writes_now = writes;
  for (int moves = 0; moves <= WriteRouter::kMovesMax; ++moves) {
    ORRERY_ASSIGN(std::vector<Group> groups, RouteAll(left));
    std::vector<std::vector<const LogicalWrites*>> members;
    for (Group& group : groups) {
      std::vector<const LogicalWrites*>& of_group = members.emplace_back();
      for (Member& member : group.members) {
        of_group.push_back(member.logical);
        const CommitPlace place{member.logical->container, member.logical->hash, number_};
        group.entries.push_back({place.Key(), std::nullopt, Entry::Condition::kPresent});
        if (!writes_now) member.logical = nullptr;
      }
    }
    RunAll(groups, Act::kDo);
    left.clear();
    bool unmet = false;
    Status failed;
    for (size_t i = 0; i < groups.size(); ++i) {
      const Status& done = groups[i].done;
      if (done.has_value() || groups[i].is_unmet) continue;
      if (HasCode(done, Code::kPreconditionFailed) || HasCode(done, Code::kNotFound) ||
          HasCode(done, Code::kAlreadyExists)) {
        // Nobody else writes what is reserved; but the sweep of expired items does.
        LogError("a part of a commit cannot be written: {}", done.error().ToString());
        unmet = true;
      } else if (!HasCode(done, Code::kMoved)) {
        failed = Fail(done.error());
      }
      left.insert(left.end(), members[i].begin(), members[i].end());
    }
    if (left.empty()) return {};
    ORRERY_TRY(std::move(failed));
    if (unmet) writes_now = false;
  }
  return Fail(Code::kUnavailable, "the partitions split again and again during the commit");
}

Result<bool> CommitRun::IsRecorded() const {
  const CommitPlace place = RecordPlace();
  const auto routed = Route(place.container, place.hash);
  if (HasCode(routed, Code::kNotFound)) return false;
  if (!routed.has_value()) return Fail(routed.error());
  // After a failed write its files tell only when they are opened anew.
  if (routed->partition->NeedsReopening())
    return Fail(Code::kUnavailable, "the partition is being opened anew");
  storage::PinnedValue value;
  return routed->partition->engine().Get(place.Key(), value);
}

Status CommitRun::Redo() {
  const CommitRooms::Stay stay(parts_.rooms, CommitRooms::Room::kCommits);
  // What one partition had was written at once, with a mark of each of its logical partitions.
  for (const LogicalWrites& logical : writes_.logical()) {
    auto groups = RouteAll({&logical});
    // Of a container that was dropped nothing is left to write.
    if (HasCode(groups, Code::kNotFound)) continue;
    if (!groups.has_value()) return Fail(std::move(groups).error());
    const cluster::HostedPartition& partition = *groups->front().members.front().routed.partition;
    if (partition.NeedsReopening())
      return Fail(Code::kUnavailable, "the partition is being opened anew");
    storage::PinnedValue value;
    const CommitPlace mark{logical.container, logical.hash, number_ + 1};
    ORRERY_ASSIGN(const bool is_marked, partition.engine().Get(mark.Key(), value));
    if (is_marked) continue;
    Status written = WriteAll(*std::move(groups));
    // Nobody else writes what is reserved; but the sweep of expired items does.
    const bool is_unmet =
        HasCode(written, Code::kPreconditionFailed) || HasCode(written, Code::kNotFound);
    if (is_unmet) {
      LogError("a part of a commit cannot be written after a crash: {}",
               written.error().ToString());
      continue;
    }
    ORRERY_TRY(std::move(written));
  }
  return {};
}

}  // namespace orrery::gateway
