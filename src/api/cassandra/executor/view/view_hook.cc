#include "api/cassandra/executor/view/view_hook.h"

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "api/cassandra/executor/view/view_derived_writes.h"
#include "base/log.h"
#include "model/row/row_codec.h"

namespace orrery::cassandra {
namespace {

bool DeletesPartition(std::string_view own_row) {
  const auto cursor = model::RowCursor::Open(own_row);
  return cursor.has_value() && cursor->deletion().exists();
}

// Makes the changes of a derived write, and looks at the rows that they touch before and after.
class ViewedChanges final : public item::RowProgram {
 public:
  ViewedChanges(const ViewRegistry& registry, const BaseViews& views,
                const item::DerivedWrite& derived_write)
      : registry_(registry),
        base_id_(views.base->id),
        partition_key_(derived_write.partition_key),
        changes_(derived_write.changes) {
    const bool clustered = views.base->clustering_count != 0;
    for (const item::RowChange& change : changes_.rows) {
      if (!clustered || !change.clustering.empty()) {
        reads_.push_back(change.clustering);
      } else if (DeletesPartition(change.row)) {
        ranges_.emplace_back();
      }
    }
    std::ranges::sort(reads_);
    const auto repeated = std::ranges::unique(reads_);
    reads_.erase(repeated.begin(), repeated.end());
    for (const item::RangeTombstone& range : changes_.range_tombstones)
      ranges_.push_back({range.lower, range.upper});
  }

  std::span<const std::string> reads() const override { return reads_; }
  std::span<const item::RowRange> read_ranges() const override { return ranges_; }
  Result<item::RowChanges> Decide(std::span<const std::optional<model::Row>> /*rows*/,
                                  Micros /*now*/) override {
    return changes_;
  }
  bool follows() const override { return true; }
  Result<std::vector<item::DerivedWrite>> Follow(std::span<const item::TouchedRow> rows,
                                                 Micros now) override {
    const BaseViewsPtr views = registry_.Find(base_id_);
    if (views == nullptr) return std::vector<item::DerivedWrite>();
    auto derived_writes = DerivedWritesOf(*views, partition_key_, rows, now);
    if (!derived_writes.has_value())
      return Fail(Code::kInvalidArgument, std::move(derived_writes).error().message);
    // Looked for before the batch was taken, as far as it could be seen then.
    const size_t dropped = std::erase_if(*derived_writes, [](const item::DerivedWrite& each) {
      return each.partition_key.size() > UINT16_MAX;
    });
    if (dropped > 0) {
      LogWarn("{} rows of views of '{}' are left out: their partition keys are too long", dropped,
              views->base->name);
    }
    return *std::move(derived_writes);
  }

 private:
  const ViewRegistry& registry_;
  const std::string base_id_;
  const std::string partition_key_;
  const item::RowChanges changes_;
  std::vector<std::string> reads_;
  std::vector<item::RowRange> ranges_;
};

}  // namespace

gateway::ViewMaintenanceHook::Plan ViewHook::PlanFor(
    const item::DerivedWrite& derived_write) const {
  Plan plan;
  // Before looking for views: whoever makes one waits for those who did not find it.
  plan.pass = grace_period_.Enter();
  if (const BaseViewsPtr views = registry_.FindByContainer(derived_write.container);
      views != nullptr)
    plan.program = std::make_unique<ViewedChanges>(registry_, *views, derived_write);
  return plan;
}

}  // namespace orrery::cassandra
