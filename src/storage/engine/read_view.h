// A ReadView is what a reader sees of an engine: its newest state, a frozen one, or a frozen one
// with changes on top that only this reader sees.
//
// A value, cheap to copy; thread-safe as its parts are. What it is made of must outlive it.
#pragma once

#include <memory>
#include <string_view>
#include <utility>

#include "base/status.h"
#include "storage/engine/engine.h"
#include "storage/engine/overlay.h"

namespace orrery::storage {

class ReadView {
 public:
  ReadView(const Engine& engine) : engine_(&engine) {}  // NOLINT: an engine is its newest state
  // `overlay` may be null.
  ReadView(const Engine& engine, const Snapshot& snapshot, const Overlay* overlay = nullptr)
      : engine_(&engine), snapshot_(&snapshot), overlay_(overlay) {}

  const Engine& engine() const { return *engine_; }
  // Null: the newest state.
  const Snapshot* snapshot() const { return snapshot_; }

  Result<bool> Get(std::string_view key, PinnedValue& value,
                   ReadMode mode = ReadMode::kMayBlock) const {
    if (overlay_ != nullptr) {
      const auto found = overlay_->changes().find(key);
      if (found != overlay_->changes().end()) {
        if (found->second.has_value()) value.Assign(*found->second);
        return found->second.has_value();
      }
    }
    return engine_->Get(key, value, mode, snapshot_);
  }

  // Its snapshot is the view's own; that of `options` is not looked at.
  std::unique_ptr<Iterator> NewIterator(ScanOptions options) const {
    options.snapshot = snapshot_;
    if (overlay_ == nullptr || overlay_->empty()) return engine_->NewIterator(std::move(options));
    auto below = engine_->NewIterator(options);
    return overlay_->Over(std::move(below), options);
  }

 private:
  const Engine* engine_;
  const Snapshot* snapshot_ = nullptr;
  const Overlay* overlay_ = nullptr;
};

// A FrozenView is a view that does not change: that of its maker, frozen now unless it was before.
class FrozenView {
 public:
  explicit FrozenView(const ReadView& view)
      : taken_(view.snapshot() == nullptr ? view.engine().TakeSnapshot() : nullptr),
        view_(taken_ == nullptr ? view : ReadView(view.engine(), *taken_)) {}

  const ReadView& view() const { return view_; }

 private:
  const std::unique_ptr<Snapshot> taken_;
  const ReadView view_;
};

}  // namespace orrery::storage
