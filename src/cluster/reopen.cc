// Reopening a partition that takes no writes any more, in steps, and what a crash after each
// leaves:
//
//   1 link its files into a new directory         the old one, and garbage that start-up removes
//   2 open them as a partition of a new id        same
//   3 commit: the old record goes, the new comes  the new one
//   4 publish, hand waiting writes over           the new one
//
// The old engine serves reads until the last of them is done. It takes no writes, so nothing that
// is acknowledged can miss the copy; a write whose outcome is unknown may turn out to be in it.
#include <fmt/core.h>

#include "base/log.h"
#include "cluster/node_state.h"

namespace orrery::cluster {
namespace {

Result<std::shared_ptr<HostedPartition>> OpenCopy(NodeState& state, HostedPartition& stopped,
                                                  const PartitionRecord& record) {
  const std::string path = state.PathOf(record.id);
  const Status salvaged = stopped.engine().SalvageTo(path);
  Result<std::shared_ptr<HostedPartition>> opened =
      salvaged.has_value() ? state.Open(record, /*must_exist=*/true)
                           : Result<std::shared_ptr<HostedPartition>>(Fail(salvaged.error()));
  // A directory that existed already is not ours to remove.
  if (opened.has_value() || opened.error().code() == Code::kAlreadyExists) return opened;
  if (Status removed = storage::Engine::Destroy(state.parts.resources, path);
      !removed.has_value()) {
    LogWarn("{} stays, the next start will remove it: {}", path, removed.error().ToString());
  }
  return opened;
}

}  // namespace

Result<PartitionId> ReopenPartition(NodeState& state, PartitionId id) {
  ORRERY_ASSIGN(const PartitionClaim claim, PartitionClaim::Take(state, {id}));
  const std::shared_ptr<HostedPartition> stopped = state.topology.Load()->Find(id);
  if (stopped == nullptr)
    return Fail(Code::kNotFound, fmt::format("there is no partition {}", id.value()));
  if (!stopped->NeedsReopening()) return id;
  // RocksDB might mend itself meanwhile, and take writes that the copy misses.
  stopped->engine().StopWriting(stopped->engine().WriteFailure().value_or(
      Error(Code::kUnavailable, "the partition is being reopened; retry")));
  // A group that was being written until now is over after this.
  stopped->sequencer().Pause();
  stopped->sequencer().Resume();

  SystemStore::Change change;
  ORRERY_ASSIGN(const NodeState::Fresh made, state.NextPartition(change));
  const auto former = stopped->record();
  PartitionRecord record = *former;
  record.id = made.id;
  record.parents = AncestryFrom({former.get()});
  ORRERY_ASSIGN(const auto trim, state.system.Get(TrimKey(id)));
  ORRERY_ASSIGN(const auto fresh, OpenCopy(state, *stopped, record));

  change.Expect(PartitionRecordKey(id), EncodePartitionRecord(*former));
  change.Delete(PartitionRecordKey(id));
  change.Delete(TrimKey(id));
  state.ReplaceOwned(id, change);
  state.RecordOwner(record.id, change);
  change.Put(PartitionRecordKey(record.id), EncodePartitionRecord(record));
  if (trim.has_value()) change.Put(TrimKey(record.id), "");
  MutexLock lock(state.change_mutex);
  // On an error the files stay: if the commit did reach the disk, they are the partition at the
  // next start. Both have the same content, and neither takes writes.
  if (Status committed = state.system.Commit(std::move(change)); !committed.has_value()) {
    if (committed.error().code() == Code::kMoved) {
      fresh->RemoveFilesOnClose();
    } else {
      state.uses.Keep(record.id);
    }
    return Fail(std::move(committed).error());
  }
  state.PublishLocked({.add = {fresh}, .remove = {id}});
  stopped->RemoveFilesOnClose();
  stopped->sequencer().Retire(Error(Code::kMoved, "the partition was reopened"));
  return record.id;
}

}  // namespace orrery::cluster
