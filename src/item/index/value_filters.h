// The ValueFilters of one physical partition say which values some of its indexes cannot have, so
// that a look-up that fans out can leave the partition out.
//
// They are kept for indexes that somebody asked for, in memory only: made from the entries a step
// at a time, and in step with every write from then on, whoever writes. A partition that is opened
// anew (a start, a split, a merge, a takeover) begins without any. An index without a filter, or
// with one that is not complete yet, may have every value.
//
// Why they are complete: a filter is published while the sequencer is paused, so each entry is
// either stored before, and found by the steps, or written later, and told to OnPut before it can
// be read.
//
// It is also the partition's KeyWatch, and tells the versions of what is kept in memory
// (item/read/lookup_versions.h) what is written.
//
// Thread-safe.
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/ids.h"
#include "base/mutex.h"
#include "base/published.h"
#include "base/status.h"
#include "item/index/value_filter.h"
#include "item/layout/key_layout.h"
#include "item/read/lookup_versions.h"
#include "item/read/reader.h"
#include "partition/key_watch.h"
#include "storage/engine/engine.h"

namespace orrery::partition {
class Sequencer;
}  // namespace orrery::partition

namespace orrery::item {

class ValueFilters final : public partition::KeyWatch {
 public:
  static constexpr size_t kFiltersMax = 64;

  void OnPut(std::string_view key) override;
  bool watches_stores() const override { return versions_.is_active(); }
  void OnStore(std::string_view key, std::optional<std::string_view> value) override {
    versions_.OnStore(key, value);
  }
  void OnSeal() override { versions_.OnSeal(); }
  void OnWritten(bool durable) override { versions_.OnWritten(durable); }

  LookupVersions& versions() { return versions_; }

  // Brings the index's filter nearer to completion, by at most `entries_max` entries. Returns how
  // many were read: 0 when it is complete, or when there are too many filters. Blocks.
  Result<size_t> Grow(const storage::Engine& engine, partition::Sequencer& sequencer,
                      ContainerId container, IndexId index, size_t entries_max)
      EXCLUDES(grow_mutex_);

  // Leaves in the range the intervals of values that may be there. False when none is left: nothing
  // is to be found. Intervals that are not one value stay.
  bool Narrow(ContainerId container, IndexRange& range) const;

 private:
  struct Kept {
    std::string prefix;  // of the keys of the index
    ValueFilter filter;
    std::atomic<bool> complete{false};
    std::string next;  // where the next step begins; of whoever has grow_mutex_
  };
  using All = std::vector<std::shared_ptr<Kept>>;

  std::shared_ptr<Kept> Find(std::string_view prefix) const;

  std::atomic<bool> any_{false};
  Published<All> all_;
  Mutex grow_mutex_;
  LookupVersions versions_;
};

}  // namespace orrery::item
