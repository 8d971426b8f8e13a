#include "gateway/snapshot/snapshot_transaction.h"

#include <utility>

#include "gateway/snapshot/transaction_coordinator.h"
#include "item/layout/entry_codec.h"
#include "item/layout/key_layout.h"
#include "item/layout/record_codec.h"

namespace orrery::gateway {
namespace {

// LSNs of what is not committed: a partition's history does not get so far.
constexpr uint64_t kUncommittedLsn = uint64_t{1} << 63;
constexpr Micros kReceiptLifetime = std::chrono::minutes(30);

bool IsReserved(std::string_view key) {
  const auto space = static_cast<item::Space>(key.front());
  return space == item::Space::kData || space == item::Space::kUnique;
}

}  // namespace

SnapshotTransaction::SnapshotTransaction(TransactionCoordinator& coordinator,
                                         const Gateway& gateway,
                                         partition::Reservations::Holder holder)
    : coordinator_(coordinator), holder_(holder), gateway_(new Gateway(gateway, *this)) {
  coordinator_.open_.Add(1);
}

SnapshotTransaction::~SnapshotTransaction() { Abort(); }

bool SnapshotTransaction::Leave() {
  if (ended_.exchange(true)) return false;
  coordinator_.open_.Add(-1);
  return true;
}

std::unexpected<Error> SnapshotTransaction::FailAs(Failure failure, std::string text) {
  Failure none = Failure::kNone;
  failure_.compare_exchange_strong(none, failure, std::memory_order_acq_rel);
  return Fail(Code::kPreconditionFailed, std::move(text));
}

std::unexpected<Error> SnapshotTransaction::Elsewhere() {
  return FailAs(Failure::kElsewhere,
                "a transaction can use partitions of the node that began it only");
}

Result<SnapshotTransaction::Part*> SnapshotTransaction::PartOf(
    cluster::HostedPartition& partition) {
  MutexLock lock(mutex_);
  if (ended_) return Fail(Code::kCancelled, "the transaction has ended");
  if (const auto found = parts_.find(partition.id()); found != parts_.end())
    return found->second.get();
  // It was opened after the start.
  auto part = std::make_unique<Part>();
  part->partition = coordinator_.parts_.node.topology()->Find(partition.id());
  if (part->partition.get() != &partition)
    return FailAs(Failure::kUnavailable, "a partition has moved since the transaction began");
  for (const PartitionId parent : partition.record()->parents) {
    if (parts_.contains(parent))
      return FailAs(Failure::kUnavailable,
                    "a partition has split or merged since the transaction began");
  }
  part->snapshot = partition.engine().TakeSnapshot();
  if (partition.sequencer().last_evaluated() > start_)
    return FailAs(Failure::kUnavailable, "a partition is newer than the transaction");
  return parts_.emplace(partition.id(), std::move(part)).first->second.get();
}

Status SnapshotTransaction::CheckContainer(const ContainerEntry& container) {
  MutexLock lock(mutex_);
  const ContainerRef* const at_start = catalog_->by_id.Find(container.id);
  const auto [known, is_first] = schemas_.try_emplace(container.id, container.schema);
  if (is_first && (at_start == nullptr || (*at_start)->schema == container.schema)) return {};
  if (!is_first && known->second == container.schema) return {};
  // Of a container that is new, and that it has not written to, the snapshots have nothing.
  const bool is_written = std::ranges::any_of(
      writes_.logical(), [&](const LogicalWrites& one) { return one.container == container.id; });
  if (at_start == nullptr && !is_written) {
    known->second = container.schema;
    return {};
  }
  return FailAs(Failure::kUnavailable,
                "Unable to read from a snapshot due to pending collection catalog changes; please "
                "retry the operation.");
}

Result<storage::ReadView> SnapshotTransaction::ViewOf(cluster::HostedPartition& partition,
                                                      const ContainerEntry& container) {
  ORRERY_TRY(CheckContainer(container));
  ORRERY_ASSIGN(const Part* const part, PartOf(partition));
  return part->view();
}

Result<bool> SnapshotTransaction::IsNewest(const Part& part, std::string_view key) const {
  storage::PinnedValue seen;
  storage::PinnedValue newest;
  const storage::Engine& engine = part.partition->engine();
  ORRERY_ASSIGN(const bool was_there,
                engine.Get(key, seen, storage::ReadMode::kMayBlock, part.snapshot.get()));
  ORRERY_ASSIGN(const bool is_there, engine.Get(key, newest));
  if (!was_there || !is_there) return was_there == is_there;
  if (static_cast<item::Space>(key.front()) != item::Space::kData)
    return seen.view() == newest.view();
  ORRERY_ASSIGN(const item::RecordView old_record, item::DecodeRecord(seen.view()));
  ORRERY_ASSIGN(const item::RecordView new_record, item::DecodeRecord(newest.view()));
  return old_record.lsn == new_record.lsn;
}

Status SnapshotTransaction::ReserveWritten(Part& part) {
  Status status;
  part.writer->ForEachKey([&](std::string_view key) {
    if (!status.has_value() || !IsReserved(key) || reserved_.contains(std::string(key))) return;
    const auto conflict = [this] {
      return FailAs(Failure::kConflict, "another transaction has changed the same item");
    };
    if (!coordinator_.parts_.reservations.Reserve(key, holder_)) {
      status = conflict();
      return;
    }
    reserved_.emplace(key);
    // Only now: whoever writes it from here on waits.
    const Result<bool> newest = IsNewest(part, key);
    if (!newest.has_value()) {
      status = Fail(newest.error());
    } else if (!*newest) {
      status = conflict();
    }
  });
  return status;
}

Status SnapshotTransaction::Evaluate(cluster::HostedPartition& partition,
                                     const ContainerEntry& container,
                                     item::Transaction& transaction) {
  ORRERY_TRY(CheckContainer(container));
  ORRERY_ASSIGN(Part* const part, PartOf(partition));
  if (part->writer == nullptr) {
    part->ledger = item::Ledger::Detached();
    part->writer = std::make_unique<partition::PrivateWriter>(part->view());
  }
  transaction.SetLedger(*part->ledger);
  partition::PrivateWriter& writer = *part->writer;
  if (Status done = writer.Evaluate(transaction, Lsn(kUncommittedLsn | ++provisional_),
                                    coordinator_.parts_.clock.Now());
      !done.has_value()) {
    writer.Clear();
    return done;
  }
  // What was reserved before a refusal stays so until the transaction ends, which is all that it
  // can do then.
  Status reserved = ReserveWritten(*part);
  if (!reserved.has_value()) {
    writer.Clear();
    return reserved;
  }
  const item::TransactionRequest& request = transaction.request();
  const auto& results = transaction.result().results;
  std::string key;
  for (size_t i = 0; i < results.size(); ++i) {
    const item::Operation& decided = transaction.decided()[i];
    if (results[i].done == item::OperationKind::kRead ||
        results[i].done == item::OperationKind::kCheck)
      continue;
    item::Operation write;
    write.kind = results[i].done == item::OperationKind::kDelete ? item::OperationKind::kDelete
                                                                 : item::OperationKind::kUpsert;
    write.row_key = decided.row_key;
    if (write.kind != item::OperationKind::kDelete)
      write.document = decided.document.has_value() ? decided.document : results[i].document;
    item::WriteDataKey(key, container.id, {request.hash, request.partition_key, decided.row_key});
    if (!part->overlay.changes().contains(key) && written_.insert(key).second) {
      storage::PinnedValue seen;
      ORRERY_ASSIGN(const bool was_there,
                    part->partition->engine().Get(key, seen, storage::ReadMode::kMayBlock,
                                                  part->snapshot.get()));
      write.if_absent = !was_there;
      if (was_there) {
        ORRERY_ASSIGN(const item::RecordView record, item::DecodeRecord(seen.view()));
        write.if_match = record.lsn;
        // An item that has expired counts as absent.
        if (record.ExpiredAt(coordinator_.parts_.clock.Now())) {
          write.if_match.reset();
          write.if_absent = true;
        }
      }
    }
    writes_.Add(container.id, request.hash, request.partition_key, std::move(write));
  }
  const size_t before = part->overlay.bytes();
  Status laid = part->overlay.Apply(writer.batch());
  writer.Clear();
  ORRERY_TRY(std::move(laid));
  bytes_ += part->overlay.bytes() - before;
  const bool is_too_large =
      bytes_ + writes_.bytes() > kBytesMax ||
      writes_.OperationsOf(container.id, request.hash) > item::kTransactionOperationsMax;
  if (is_too_large) return FailAs(Failure::kTooLarge, "the transaction has written too much");
  return {};
}

bool SnapshotTransaction::is_settled() const {
  return !coordinator_.parts_.reservations.Holds(holder_);
}

Status SnapshotTransaction::Commit(std::string_view receipt, std::string_view bytes) {
  ORRERY_CHECK(!ended_);
  if (writes_.empty()) {
    Abort();
    return {};
  }
  CommitRun run(coordinator_.RunParts(), writes_, coordinator_.NewNumber());
  const LogicalWrites& first = writes_.logical().front();
  item::TransactionGroup::Entry entry;
  item::WriteReceiptKey(entry.key, first.container, first.hash, first.partition_key, receipt);
  entry.value.emplace();
  item::WriteReceiptEntry(
      *entry.value, {.expiry = coordinator_.parts_.clock.Now() + kReceiptLifetime, .bytes = bytes});
  CommitRun::Ending ending = run.Commit(entry);
  charge_ += run.charge();
  switch (ending.end) {
    case CommitRun::End::kNothing:
    case CommitRun::End::kWritten:
      break;
    case CommitRun::End::kRecorded:
      coordinator_.AddFinished(run);
      break;
    case CommitRun::End::kDecided:
    case CommitRun::End::kUndecided:
      // Its items stay reserved until it is settled.
      Leave();
      coordinator_.AddUnfinished(
          {.writes = std::move(writes_), .number = run.RecordPlace().number, .holder = holder_});
      break;
  }
  if (!ended_) Abort();
  if (ending.status.has_value()) return {};
  switch (ending.status.error().code()) {
    // What was seen is not there any more; a unique key was taken; a container was dropped.
    case Code::kPreconditionFailed:
    case Code::kNotFound:
    case Code::kAlreadyExists:
      return FailAs(Failure::kConflict, ending.status.error().message());
    case Code::kMoved:
    case Code::kUnsupported:
      return FailAs(Failure::kElsewhere, ending.status.error().message());
    default:
      return ending.status;
  }
}

void SnapshotTransaction::Abort() {
  if (!Leave()) return;
  coordinator_.parts_.reservations.Release(holder_);
  MutexLock lock(mutex_);
  parts_.clear();
  writes_ = {};
}

}  // namespace orrery::gateway
