// A GroupWriter is what a mutation sees and writes while it is evaluated: the partition's state
// with all earlier mutations of the same group already in it.
//
// Owned and driven by the Sequencer; used on its thread only. Nothing written here is visible to
// readers before the whole group is durable.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <memory_resource>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/clock.h"
#include "base/ids.h"
#include "base/status.h"
#include "storage/engine/engine.h"

namespace orrery::partition {

class GroupWriter {
 public:
  explicit GroupWriter(const storage::Engine& engine);

  // Position and time of the transaction under evaluation. Both rise strictly from one to the next.
  Lsn lsn() const { return lsn_; }
  Micros now() const { return now_; }

  // The stored value, or nullopt. The view is good until the next call on this writer.
  Result<std::optional<std::string_view>> Get(std::string_view key);

  // Calls `visit` with each entry of [lower, upper) in key order until it returns false. At most
  // `limit` entries are looked at; kTooLarge beyond. `visit` must not write.
  Status Scan(std::string_view lower, std::string_view upper, size_t limit,
              const std::function<bool(std::string_view key, std::string_view value)>& visit);

  void Put(std::string_view key, std::string_view value);
  void Delete(std::string_view key);
  // Hands `operand` to the engine's MergeRule, without reading; a later Get of the group sees it
  // merged, a Scan does not. A key is either merged or put, never both. Neither is copied: both
  // must live until the mutation is completed.
  void Merge(std::string_view key, std::string_view operand);
  // The same for entries that no mutation ever reads (index, feed): they are not kept for the rest
  // of the group to see. A key must always be written one way.
  void PutUnread(std::string_view key, std::string_view value) { batch_.Put(key, value); }
  void DeleteUnread(std::string_view key) { batch_.Delete(key); }

 private:
  friend class Sequencer;

  // Starts an empty group / the next transaction of the group.
  void Reset();
  void Begin(Lsn lsn, Micros now);
  // Takes back what the transaction since Begin wrote.
  void Rollback();
  void Commit();
  bool wrote() const { return batch_.count() > count_at_begin_; }

  // nullopt value = deleted in this group.
  using Overlay = std::pmr::map<std::string_view, std::optional<std::string_view>>;
  struct Undo {
    std::string_view key;
    std::optional<std::optional<std::string_view>> before;  // outer nullopt = not in the overlay
  };
  void Record(std::string_view key, std::optional<std::string_view> value);
  Result<std::optional<std::string_view>> GetMerged(
      std::string_view key, const std::pmr::vector<std::string_view>& operands);
  std::string_view Keep(std::string_view bytes);

  const storage::Engine& engine_;  // must outlive the writer
  storage::Batch batch_;
  storage::PinnedValue pinned_;
  std::pmr::monotonic_buffer_resource arena_;
  std::optional<Overlay> overlay_;  // keys and values live in arena_
  // What the group has merged into each key so far, oldest first; in arena_ too.
  using Operands = std::pmr::unordered_map<std::string_view, std::pmr::vector<std::string_view>>;
  std::optional<Operands> merges_;
  std::vector<std::string_view> merged_keys_;  // since Begin, one for each operand
  std::string merged_;
  std::vector<Undo> undo_;
  size_t count_at_begin_ = 0;
  Lsn lsn_;
  Micros now_{0};
};

}  // namespace orrery::partition
