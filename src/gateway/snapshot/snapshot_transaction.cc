#include "gateway/snapshot/snapshot_transaction.h"

#include <algorithm>
#include <utility>

#include "gateway/remote/remote_gateway.h"
#include "gateway/snapshot/transaction_coordinator.h"
#include "item/layout/entry_codec.h"
#include "item/layout/key_layout.h"
#include "item/layout/record_codec.h"

namespace orrery::gateway {
namespace {

// LSNs of what is not committed: a partition's history does not get so far.
constexpr uint64_t kUncommittedLsn = uint64_t{1} << 63;
// After that a branch that was asked to commit has done so, or never will: it has ended by its age.
constexpr Micros kCommitLasts = std::chrono::seconds(90);

bool IsReserved(std::string_view key) {
  const auto space = static_cast<item::Space>(key.front());
  return space == item::Space::kData || space == item::Space::kUnique;
}

}  // namespace

SnapshotTransaction::SnapshotTransaction(TransactionCoordinator& coordinator,
                                         const Gateway& gateway,
                                         partition::Reservations::Holder holder,
                                         std::shared_ptr<TransactionLink> link, bool is_branch)
    : coordinator_(coordinator),
      holder_(holder),
      is_branch_(is_branch),
      link_(std::move(link)),
      remote_(link_ == nullptr || is_branch
                  ? nullptr
                  : std::make_unique<RemoteGateway>(*coordinator.parts_.remote, link_)),
      gateway_(new Gateway(gateway, *this)) {
  coordinator_.open_.Add(1);
}

SnapshotTransaction::~SnapshotTransaction() { Abort(); }

bool SnapshotTransaction::Leave() {
  if (ended_.exchange(true)) return false;
  coordinator_.open_.Add(-1);
  if (link_ != nullptr && !is_branch_) coordinator_.Forget(link_->id());
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
  if (const auto found = parts_.find(partition.id()); found != parts_.end()) {
    Part& part = *found->second;
    if (link_ != nullptr && !part.is_settled) ORRERY_TRY(Settle(part));
    return &part;
  }
  // It was opened after the start; elsewhere the transaction may have written to it.
  if (link_ != nullptr && topology_->RecordOf(partition.id()) != nullptr)
    return FailAs(Failure::kUnavailable, "a partition has moved since the transaction began");
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
  Part& added = *parts_.emplace(partition.id(), std::move(part)).first->second;
  if (link_ != nullptr) ORRERY_TRY(Settle(added));
  return &added;
}

void SnapshotTransaction::OpenWriter(Part& part) const {
  if (part.writer != nullptr) return;
  part.ledger = item::Ledger::Detached();
  part.writer = std::make_unique<partition::PrivateWriter>(part.view());
}

Status SnapshotTransaction::Settle(Part& part) {
  const std::string prefix(1, static_cast<char>(item::Space::kCommit));
  const auto slices = part.partition->record();
  const auto cursor = part.partition->engine().NewIterator({.lower = prefix,
                                                            .upper = item::PrefixEnd(prefix),
                                                            .snapshot = part.snapshot.get(),
                                                            .fill_cache = false});
  for (cursor->SeekToFirst(); cursor->Valid(); cursor->Next()) {
    const auto key = item::DecodeKey(cursor->key());
    if (!key.has_value()) return Fail(Code::kCorruption, "a stored key of a commit is damaged");
    const bool is_own = std::ranges::any_of(slices->slices, [&](const auto& slice) {
      return slice.container == key->container && slice.range.Contains(key->hash);
    });
    if (!is_own) continue;
    const auto outcome = coordinator_.parts_.prepared.WaitFor(key->number);
    if (!outcome.has_value()) return FailAs(Failure::kUnavailable, outcome.error().message());
    const ContainerRef* const container = catalog_->by_id.Find(key->container);
    if (!outcome->committed || outcome->time > start_ || container == nullptr) continue;
    ORRERY_ASSIGN(const PrepareRecord record, PrepareRecord::Decode(cursor->value()));
    const LogicalWrites& logical = record.writes.logical().front();
    item::TransactionRequest request{.schema = (*container)->schema,
                                     .hash = logical.hash,
                                     .partition_key = logical.partition_key,
                                     .operations = logical.operations};
    item::Transaction transaction(std::move(request),
                                  [](const std::unique_ptr<item::Transaction>&, const Status&) {});
    OpenWriter(part);
    transaction.SetLedger(*part.ledger);
    Status done = part.writer->Evaluate(transaction, Lsn(kUncommittedLsn | ++provisional_),
                                        coordinator_.parts_.clock.Now());
    if (done.has_value()) {
      part.writer->ForEachKey(
          [&](std::string_view written) { part.settled_keys.emplace(written); });
      done = part.overlay.Apply(part.writer->batch());
    }
    part.writer->Clear();
    if (!done.has_value()) return FailAs(Failure::kUnavailable, done.error().message());
  }
  ORRERY_TRY(cursor->status());
  part.is_settled = true;
  return {};
}

bool SnapshotTransaction::IsOfOnePartition() const {
  const std::shared_ptr<const cluster::Topology> topology = coordinator_.parts_.node.topology();
  const cluster::HostedPartition* one = nullptr;
  for (const LogicalWrites& logical : writes_.logical()) {
    const cluster::HostedPartition* const partition =
        topology->Route(logical.container, logical.hash);
    if (partition == nullptr || (one != nullptr && one != partition)) return false;
    one = partition;
  }
  return true;
}

PrepareAnswer SnapshotTransaction::Prepare(uint64_t number, const LogicalPlace& decision) {
  PrepareAnswer answer;
  answer.failure = failure();
  if (ended_ || answer.failure != Failure::kNone || writes_.empty()) {
    if (ended_ || answer.failure != Failure::kNone)
      answer.status = Fail(Code::kPreconditionFailed, "the transaction has failed before");
    Abort();
    answer.latest = coordinator_.parts_.times.Next();
    return answer;
  }
  std::map<LogicalPlace, std::vector<std::string>> keys;
  for (const std::string& reserved : reserved_) {
    const auto key = item::DecodeKey(reserved);
    ORRERY_CHECK(key.has_value());
    keys[{key->container, key->hash}].push_back(reserved);
  }
  for (const LogicalWrites& logical : writes_.logical())
    answer.places.push_back({logical.container, logical.hash});
  // From here on it is not this transaction that ends the reservations.
  PreparedTable& prepared = coordinator_.parts_.prepared;
  prepared.Add(number, decision, answer.places, holder_);
  Leave();
  CommitRun run(coordinator_.RunParts(), writes_, number);
  CommitRun::Ending ending = run.Prepare([&](const LogicalWrites& logical) {
    PrepareRecord record{.decision = decision, .writes = {}, .keys = {}};
    for (const item::Operation& operation : logical.operations)
      record.writes.Add(logical.container, logical.hash, logical.partition_key, operation);
    const LogicalPlace place{logical.container, logical.hash};
    if (const auto found = keys.find(place); found != keys.end()) record.keys = found->second;
    return CommitRun::Entry{CommitPlace{place.container, place.hash, number}.Key(),
                            record.Encode()};
  });
  charge_ += run.charge();
  if (!ending.status.has_value()) {
    switch (ending.status.error().code()) {
      case Code::kPreconditionFailed:
      case Code::kNotFound:
      case Code::kAlreadyExists:
        answer.failure = Failure::kConflict;
        break;
      default:
        answer.failure = Failure::kUnavailable;
    }
    answer.status = std::move(ending.status);
    // What may be stored is resolved as a commit that was given up.
    if (ending.end == CommitRun::End::kNothing) {
      prepared.End(number, CommitOutcome{});
      answer.places.clear();
    }
  }
  {
    MutexLock lock(mutex_);
    parts_.clear();
    writes_ = {};
  }
  answer.latest = coordinator_.parts_.times.Next();
  return answer;
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
    // A commit that is in the state of the start, but was written after its snapshot.
    const bool is_settled = part.settled_keys.contains(std::string(key));
    if (is_settled || !coordinator_.parts_.reservations.Reserve(key, holder_)) {
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
  OpenWriter(*part);
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
  if (coordinator_.parts_.clock.Monotonic().count() < unknown_until_) return false;
  if (undecided_ && coordinator_.IsUndecided(link_->id().number)) return false;
  return !coordinator_.parts_.reservations.Holds(holder_);
}

Status SnapshotTransaction::Commit(std::string_view receipt, std::string_view bytes) {
  ORRERY_CHECK(!ended_);
  if (remote_ == nullptr) return CommitHere(receipt, bytes);
  const std::vector<NodeId> writers = link_->writers();
  if (writers.empty() && IsOfOnePartition()) return CommitHere(receipt, bytes);
  if (writers.size() == 1 && writes_.empty()) {
    if (auto status = CommitAt(writers.front(), receipt, bytes)) return *std::move(status);
  }
  return coordinator_.CommitOverNodes(*this, receipt, bytes);
}

std::optional<Status> SnapshotTransaction::CommitAt(NodeId node, std::string_view receipt,
                                                    std::string_view bytes) {
  const Micros until = coordinator_.parts_.clock.Monotonic() + kCommitLasts;
  unknown_until_ = until.count();
  const Result<BranchEnded> ended =
      coordinator_.AskToCommit(node, link_->id(), std::string(receipt), std::string(bytes));
  if (ended.has_value() || ended.error().code() == Code::kMoved) unknown_until_ = 0;
  if (ended.has_value() && ended->failure == Failure::kElsewhere) return std::nullopt;
  Abort();
  if (!ended.has_value()) {
    if (ended.error().code() == Code::kMoved)
      return FailAs(Failure::kUnavailable, ended.error().message());
    return Fail(ended.error());
  }
  if (ended->failure != Failure::kNone) {
    link_->NoteFailure(ended->failure);
    return Fail(Code::kPreconditionFailed, "the branch of the transaction has failed");
  }
  return ended->status;
}

Status SnapshotTransaction::CommitHere(std::string_view receipt, std::string_view bytes) {
  if (writes_.empty()) {
    Abort();
    return {};
  }
  CommitRun run(coordinator_.RunParts(), writes_, coordinator_.NewNumber());
  const LogicalWrites& first = writes_.logical().front();
  item::TransactionGroup::Entry entry;
  item::WriteReceiptKey(entry.key, first.container, first.hash, first.partition_key, receipt);
  entry.value.emplace();
  item::WriteReceiptEntry(*entry.value, {.expiry = coordinator_.parts_.clock.Now() +
                                                   TransactionCoordinator::kReceiptLifetime,
                                         .bytes = bytes});
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
    // A partition has moved or split just now.
    case Code::kMoved:
    case Code::kUnsupported:
      return FailAs(Failure::kUnavailable, ending.status.error().message());
    default:
      return ending.status;
  }
}

void SnapshotTransaction::Abort() {
  if (!Leave()) return;
  coordinator_.parts_.reservations.Release(holder_);
  if (remote_ != nullptr) coordinator_.EndBranches(*link_);
  MutexLock lock(mutex_);
  parts_.clear();
  writes_ = {};
}

}  // namespace orrery::gateway
