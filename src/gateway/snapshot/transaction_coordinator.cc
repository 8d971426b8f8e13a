#include "gateway/snapshot/transaction_coordinator.h"

#include <latch>
#include <map>
#include <set>
#include <utility>

#include "base/has_code.h"
#include "base/log.h"
#include "gateway/remote/envelope.h"
#include "gateway/snapshot/snapshot_transaction.h"
#include "item/layout/entry_codec.h"
#include "item/layout/key_layout.h"
#include "partition/meta_keys.h"

namespace orrery::gateway {
namespace {

std::string SpaceOf(item::Space space) { return {static_cast<char>(space)}; }

// Calls `visit` with each entry of a space in the partitions that are open here and own it.
Status ForEachEntry(const cluster::Topology& topology, item::Space space,
                    const std::function<void(const item::DecodedKey&, std::string_view)>& visit) {
  for (const auto& [id, partition] : topology.hosted) {
    const std::string prefix = SpaceOf(space);
    const auto cursor = partition->engine().NewIterator(
        {.lower = prefix, .upper = item::PrefixEnd(prefix), .fill_cache = false});
    for (cursor->SeekToFirst(); cursor->Valid(); cursor->Next()) {
      const auto key = item::DecodeKey(cursor->key());
      if (!key.has_value()) return Fail(Code::kCorruption, "a stored key of a commit is damaged");
      // What a split has yet to trim is its sibling's.
      if (topology.Route(key->container, key->hash) == partition.get())
        visit(*key, cursor->value());
    }
    ORRERY_TRY(cursor->status());
  }
  return {};
}

}  // namespace

TransactionCoordinator::TransactionCoordinator(const Parts& parts)
    : parts_(parts),
      metering_(parts.clock, parts.metrics, /*meters=*/true),
      router_(parts.catalog, parts.node, metering_, parts.metrics, parts.reservations),
      open_(parts.metrics.GetGauge("orrery_transactions_open",
                                   "Transactions over partitions that are open on this node.")),
      cuts_repeated_(parts.metrics.GetCounter(
          "orrery_transaction_cuts_repeated_total",
          "Starts of transactions whose snapshots were not of one moment, and taken again.")) {
  if (parts.peers != nullptr) background_ = std::make_unique<ThreadPool>("commits", 1, 4);
}

CommitRun::Parts TransactionCoordinator::RunParts() {
  return {.router = router_,
          .catalog = parts_.catalog,
          .rooms = rooms_,
          .barrier = barrier_,
          .in_cluster = parts_.peers != nullptr};
}

Result<std::shared_ptr<SnapshotTransaction>> TransactionCoordinator::Begin(const Gateway& gateway) {
  std::shared_ptr<TransactionLink> link;
  if (parts_.peers != nullptr) {
    link = std::make_shared<TransactionLink>(TransactionId{parts_.self, NewClusterNumber()});
    MutexLock lock(own_mutex_);
    own_.insert(link->id().number);
  }
  std::shared_ptr<SnapshotTransaction> transaction(
      new SnapshotTransaction(*this, gateway, NewHolder(), link, /*is_branch=*/false));
  for (int cuts = 0; cuts < kCutsMax; ++cuts) {
    ORRERY_ASSIGN(const bool fits, link == nullptr ? TakeCut(*transaction, parts_.times.Next())
                                                   : TakeCutOverNodes(*transaction));
    if (fits) return transaction;
    cuts_repeated_.Add();
  }
  return Fail(Code::kUnavailable, "no moment was found at which all partitions stood still");
}

Result<bool> TransactionCoordinator::TakeCut(SnapshotTransaction& transaction, Micros start) {
  const CommitRooms::Stay stay(rooms_, CommitRooms::Room::kSnapshots);
  SnapshotTransaction::PartMap parts;
  transaction.catalog_ = parts_.catalog.snapshot();
  const std::shared_ptr<const cluster::Topology> topology = parts_.node.topology();
  parts.reserve(topology->hosted.size());
  transaction.start_ = start;
  transaction.topology_ = topology;
  for (const auto& [id, partition] : topology->hosted) {
    auto part = std::make_unique<SnapshotTransaction::Part>();
    part->partition = partition;
    part->snapshot = partition->engine().TakeSnapshot();
    // Whatever was evaluated before the tick may be in or not. What came after it may follow from
    // something that an earlier snapshot does not have.
    if (partition->sequencer().last_evaluated() > transaction.start_) {
      storage::PinnedValue stored;
      ORRERY_ASSIGN(const bool exists,
                    partition->engine().Get(partition::kSequencerKey, stored,
                                            storage::ReadMode::kMayBlock, part->snapshot.get()));
      partition::Position position;
      if (exists && !partition::DecodePosition(stored.view(), position))
        return Fail(Code::kCorruption, "the partition's position record is damaged");
      if (exists && position.time > transaction.start_) return false;
    }
    parts.emplace(id, std::move(part));
  }
  MutexLock lock(transaction.mutex_);
  transaction.parts_ = std::move(parts);
  return true;
}

Result<ReceiptAnswer> TransactionCoordinator::FindReceiptHere(const ReceiptQuestion& question) {
  MutexLock lock(receipts_mutex_);
  ReceiptAnswer answer;
  const Micros now = parts_.clock.Now();
  const std::shared_ptr<const cluster::Topology> topology = parts_.node.topology();
  ORRERY_TRY(ForEachEntry(
      *topology, item::Space::kReceipt, [&](const item::DecodedKey& key, std::string_view value) {
        if (key.value != question.name) return;
        const auto entry = item::DecodeReceiptEntry(value);
        answer.found = answer.found || (entry.has_value() && entry->bytes == question.value &&
                                        !item::ExpiredAt(entry->expiry, now));
      }));
  for (const auto& [id, partition] : topology->hosted) {
    ORRERY_TRY(partition->CheckLease());
    answer.looked.push_back(id);
  }
  return answer;
}

Result<bool> TransactionCoordinator::HasReceipt(std::string_view name, std::string_view bytes) {
  const ReceiptQuestion question{std::string(name), std::string(bytes)};
  ORRERY_ASSIGN(const ReceiptAnswer here, FindReceiptHere(question));
  if (here.found || parts_.peers == nullptr) return here.found;
  std::set<PartitionId> looked(here.looked.begin(), here.looked.end());
  const std::shared_ptr<const cluster::Topology> topology = parts_.node.topology();
  std::set<NodeId> nodes;
  for (const auto& [id, remote] : topology->remote) nodes.insert(remote.owner);
  nodes.erase(NodeId());
  for (const NodeId node : nodes) {
    const auto answer =
        parts_.peers->CallAndWait(node, cluster::PeerMethod::kFindReceipt,
                                  WrapRequest({}, EncodeReceiptQuestion(question)), kPatience);
    if (!answer.has_value()) continue;
    ORRERY_ASSIGN(const std::string body, OpenAnswer(*answer));
    ORRERY_ASSIGN(const ReceiptAnswer there, DecodeReceiptAnswer(body));
    if (there.found) return true;
    looked.insert(there.looked.begin(), there.looked.end());
  }
  for (const auto& record : parts_.node.topology()->Records()) {
    if (!looked.contains(record->id))
      return Fail(Code::kUnavailable,
                  "not all partitions could be asked whether the transaction is committed; retry");
  }
  return false;
}

void TransactionCoordinator::AddUnfinished(Unfinished unfinished) {
  MutexLock lock(mutex_);
  unfinished_.push_back(std::move(unfinished));
}

void TransactionCoordinator::AddFinished(const CommitRun& run) {
  MutexLock lock(mutex_);
  finished_.push_back({.record = run.RecordPlace(), .marks = run.MarkPlaces()});
}

Status TransactionCoordinator::Finish(const Unfinished& unfinished) {
  CommitRun run(RunParts(), unfinished.writes, unfinished.number);
  ORRERY_ASSIGN(const bool is_recorded, run.IsRecorded());
  if (is_recorded) {
    ORRERY_TRY(run.Redo());
    AddFinished(run);
  }
  parts_.reservations.Release(unfinished.holder);
  return {};
}

void TransactionCoordinator::Maintain() {
  std::vector<Unfinished> unfinished;
  {
    MutexLock lock(mutex_);
    unfinished.swap(unfinished_);
  }
  for (Unfinished& one : unfinished) {
    if (const Status finished = Finish(one); !finished.has_value()) {
      LogWarn("a commit is not finished yet: {}", finished.error().ToString());
      AddUnfinished(std::move(one));
    }
  }
  RemoveFinished();
  if (background_ == nullptr || maintains_.exchange(true)) return;
  const bool is_taken = background_->Submit([this] {
    MaintainOverNodes();
    maintains_ = false;
  });
  if (!is_taken) maintains_ = false;
}

void TransactionCoordinator::Stop() {
  if (background_ != nullptr) background_->Stop();
}

void TransactionCoordinator::RemoveFinished() {
  std::vector<Finished> finished;
  {
    MutexLock lock(mutex_);
    finished.swap(finished_);
  }
  if (finished.empty()) return;
  std::vector<CommitPlace> records;
  std::vector<CommitPlace> marks;
  for (const Finished& one : finished) {
    if (one.record.has_value()) {
      records.push_back(*one.record);
    } else {
      marks.insert(marks.end(), one.marks.begin(), one.marks.end());
    }
  }
  std::set<uint64_t> kept;
  for (const CommitPlace& place : Remove(std::move(records))) kept.insert(place.number);
  Finished again;
  again.marks = Remove(std::move(marks));
  MutexLock lock(mutex_);
  if (!again.marks.empty()) finished_.push_back(std::move(again));
  for (Finished& one : finished) {
    if (!one.record.has_value()) continue;
    if (!kept.contains(one.record->number)) one.record.reset();
    finished_.push_back(std::move(one));
  }
}

std::vector<CommitPlace> TransactionCoordinator::Remove(std::vector<CommitPlace> places) const {
  if (places.empty()) return {};
  const std::shared_ptr<const cluster::Topology> topology = parts_.node.topology();
  std::map<cluster::HostedPartition*, std::vector<CommitPlace>> by_partition;
  for (const CommitPlace& place : places) {
    // Without a partition its container was dropped, and it with that.
    cluster::HostedPartition* const partition = topology->Route(place.container, place.hash);
    if (partition != nullptr) by_partition[partition].push_back(place);
  }
  std::vector<CommitPlace> left;
  for (const auto& [partition, group] : by_partition) {
    item::TransactionGroup::Parts parts;
    for (const CommitPlace& place : group) parts.entries.push_back({place.Key(), std::nullopt});
    std::latch done(1);
    Status removed;
    partition->sequencer().Submit(std::make_unique<item::TransactionGroup>(
        std::move(parts), partition->ledger(),
        [&](const std::unique_ptr<item::TransactionGroup>&, Status status) {
          removed = std::move(status);
          done.count_down();
        }));
    done.wait();
    if (!removed.has_value()) left.insert(left.end(), group.begin(), group.end());
  }
  return left;
}

Status TransactionCoordinator::Recover() {
  std::map<uint64_t, Unfinished> found;
  std::map<uint64_t, std::vector<CommitPlace>> marks;  // by the number of their commits
  Status damage;
  ORRERY_TRY(ForEachEntry(
      *parts_.node.topology(), item::Space::kCommit,
      [&](const item::DecodedKey& key, std::string_view value) {
        if (key.number % 2 != 0) {
          marks[key.number - 1].push_back({key.container, key.hash, key.number});
          return;
        }
        auto writes = TransactionWrites::Decode(value);
        if (!writes.has_value()) {
          damage = Fail(std::move(writes).error());
          return;
        }
        found.emplace(key.number, Unfinished{*std::move(writes), key.number, NewHolder()});
      }));
  ORRERY_TRY(std::move(damage));
  for (auto& [number, unfinished] : found) {
    std::string key;
    for (const LogicalWrites& logical : unfinished.writes.logical()) {
      for (const item::Operation& operation : logical.operations) {
        item::WriteDataKey(key, logical.container,
                           {logical.hash, logical.partition_key, operation.row_key});
        if (!parts_.reservations.Reserve(key, unfinished.holder))
          LogWarn("two unfinished commits have written the same item");
      }
    }
  }
  if (!found.empty()) LogInfo("{} commits over several partitions are checked", found.size());
  for (auto& [number, unfinished] : found) {
    marks.erase(number);
    if (const Status finished = Finish(unfinished); !finished.has_value()) {
      LogWarn("a commit is not finished yet: {}", finished.error().ToString());
      AddUnfinished(std::move(unfinished));
    }
  }
  MutexLock lock(mutex_);
  for (auto& [number, places] : marks)
    finished_.push_back({.record = std::nullopt, .marks = std::move(places)});
  return {};
}

}  // namespace orrery::gateway
