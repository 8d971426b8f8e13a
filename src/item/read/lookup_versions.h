// LookupVersions tell whether an answer that was read from one physical partition, and kept in
// memory, is still what a read would give: writers change the versions of what they write.
//
// An answer depends on *slots*: one for each item that it is made of, and one for each value of a
// watched field (a string at the top of documents) that it was looked up by. What shares a slot by
// chance is dropped a little early, never late.
//
//   slot := version:40 writers:24       ; one word; writers: changes that are under way
//
// A reader takes the slots' stamp before it reads, and keeps its answer with that stamp unless a
// writer is under way. The answer holds as long as the slots have the same stamp. A writer changes
// the version and counts itself in when its mutation is evaluated, before any reader can see the
// change, and counts itself out when it is stored, before its client is told. So no reader is given
// an older answer after a newer one, and none after the write was acknowledged. After a write that
// failed its slots stay as they are: nothing that depends on them is kept any more.
//
// Nothing is noted until somebody asks by Watch. Who opens a partition anew has other versions, of
// another instance().
//
// Stamps may be taken on any thread; the On... calls are those of partition::KeyWatch.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/ids.h"
#include "base/mutex.h"
#include "base/published.h"

namespace orrery::partition {
class Sequencer;
}  // namespace orrery::partition

namespace orrery::item {

class LookupVersions {
 public:
  static constexpr size_t kSlots = size_t{1} << 16;
  using Slot = uint32_t;

  LookupVersions();

  // Never that of another object of this process.
  uint64_t instance() const { return instance_; }
  // Returns whether writers note what they change, with all of these fields. Lock-free.
  bool Watches(std::span<const std::string_view> fields) const;
  // Makes it so. Waits for the writes that are under way.
  void Watch(partition::Sequencer& sequencer, std::span<const std::string_view> fields)
      EXCLUDES(watch_mutex_);

  static Slot SlotOfItem(std::string_view data_key);
  static Slot SlotOfValue(ContainerId container, std::string_view field, std::string_view value);

  // Nullopt while a write is under way. REQUIRES: Watches was true before.
  std::optional<uint64_t> Stamp(Slot slot) const {
    const uint64_t word = slots_[slot].load(std::memory_order_acquire);
    if ((word & kWriters) != 0) return std::nullopt;
    return word;
  }
  // The same as a number that no stamp equals while a write is under way.
  uint64_t Word(Slot slot) const { return slots_[slot].load(std::memory_order_acquire); }

  bool is_active() const { return active_.load(std::memory_order_relaxed); }
  void OnStore(std::string_view key, std::optional<std::string_view> value);
  void OnSeal();
  void OnWritten(bool durable);

 private:
  static constexpr uint64_t kWriters = (uint64_t{1} << 24) - 1;
  static constexpr uint64_t kBegin = kWriters + 2;  // a further version, and a further writer
  using Fields = std::vector<std::string>;

  void Begin(Slot slot);

  const uint64_t instance_;
  std::atomic<bool> active_{false};
  Published<Fields> fields_;
  std::unique_ptr<std::atomic<uint64_t>[]> slots_;  // made by the first Watch
  Mutex watch_mutex_;
  std::vector<Slot> forming_;  // of the turn to evaluate
  std::vector<Slot> sealed_;   // of the turn to write
};

}  // namespace orrery::item
