// A GroupWriter is what a mutation sees and writes while it is evaluated: the partition's state
// with all earlier mutations already in it, those of the same group and those of the group that is
// being written at the moment.
//
// Owned and driven by the Sequencer. Nothing written here is visible to readers before the whole
// group is durable. Two groups live in it: the one that forms, used by whoever has the turn to
// evaluate, and the sealed one, which is being written and is only read here. One must have both
// turns for Seal.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/clock.h"
#include "base/ids.h"
#include "base/status.h"
#include "partition/group_batch.h"
#include "partition/merge_chains.h"
#include "partition/merge_growth.h"
#include "partition/reservations.h"
#include "storage/engine/read_view.h"

namespace orrery::partition {

class KeyWatch;

class GroupWriter {
 public:
  // `watch` and `reservations` (may be null) must outlive the writer, as must what the view is of.
  explicit GroupWriter(const storage::ReadView& view, KeyWatch* watch = nullptr,
                       const Reservations* reservations = nullptr)
      : view_(view), watch_(watch), reservations_(reservations) {}

  // Position and time of the transaction under evaluation. Both rise strictly from one to the next.
  Lsn lsn() const { return lsn_; }
  Micros now() const { return now_; }

  // The stored value, or nullopt. The view is good until the next call on this writer.
  Result<std::optional<std::string_view>> Get(std::string_view key);

  // Calls `visit` with each entry of [lower, upper) in key order until it returns false. At most
  // `limit` entries are examined; kTooLarge beyond. `visit` must not write.
  Status Scan(std::string_view lower, std::string_view upper, size_t limit,
              const std::function<bool(std::string_view key, std::string_view value)>& visit);

  // Calls `visit` with each key of [lower, upper) that has a value, in order; also with those that
  // are being merged, which Get then shows. At most `limit` keys; kTooLarge beyond.
  Status ScanKeys(std::string_view lower, std::string_view upper, size_t limit,
                  const std::function<void(std::string_view key)>& visit);

  void Put(std::string_view key, std::string_view value) { forming_.Put(key, value); }
  void Delete(std::string_view key) { forming_.Delete(key); }
  // Hands `operand` to the engine's MergeRule, without reading; a later Get sees it merged, a Scan
  // does not. A key is either merged or put, never both.
  void Merge(std::string_view key, std::string_view operand) { forming_.Merge(key, operand); }
  // Notes that so many bytes will be merged into a key; whether it may have become large since the
  // last time that this was true, so that its size should be looked at.
  bool MayHaveGrown(std::string_view key, size_t bytes) {
    return growth_.Add(std::hash<std::string_view>{}(key), bytes);
  }
  // The key is as large as it may be: MayHaveGrown is true of its next change.
  void NoteFull(std::string_view key) { growth_.Full(std::hash<std::string_view>{}(key)); }
  // Put and Delete of entries that no mutation ever reads (index, feed): they are not kept for
  // later ones to see. A key must always be written one way.
  void PutUnread(std::string_view key, std::string_view value) { forming_.PutUnread(key, value); }
  void DeleteUnread(std::string_view key) { forming_.DeleteUnread(key); }
  // PutUnread of an entry that the partition's KeyWatch is told of.
  void PutWatched(std::string_view key, std::string_view value);

  // Returns which open transaction has reserved a key that was written since the transaction under
  // evaluation began; 0: none.
  Reservations::Holder FirstReserved() const;

 private:
  friend class Sequencer;
  friend class PrivateWriter;

  // Starts the next transaction of the group that forms.
  void Begin(Lsn lsn, Micros now);

  // Ends the group that forms and starts an empty one. The sealed group stays in sight until the
  // next Seal or until ForgetSealed, which REQUIRES that its write has ended.
  void Seal();
  void ForgetSealed();

  Result<std::optional<std::string_view>> GetMerged(std::string_view key);
  // Writes keys whole that were merged often, behind the changes of the group: the one case of a
  // key that is merged and put. Get still answers by the changes, of the state before them.
  void FoldChains();

  const storage::ReadView view_;
  KeyWatch* const watch_;
  const Reservations* const reservations_;
  GroupBatch forming_;
  GroupBatch sealed_;
  // The state before the sealed group, when that has merges: what it merged must count once,
  // whether the engine shows it yet or not.
  std::unique_ptr<storage::Snapshot> before_sealed_;
  storage::PinnedValue pinned_;
  std::vector<std::string_view> operands_;
  std::string merged_;
  MergeChains chains_;
  MergeGrowth growth_;
  Lsn lsn_;
  Micros now_{0};
};

}  // namespace orrery::partition
