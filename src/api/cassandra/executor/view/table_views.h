// Maintains the views of base tables as these are written: the ViewPlanner of WriteRunner.
//
// Says which rows a write touches; the core reads them before and after it, and
// view_derived_writes.h makes of the difference what is stored with the write and delivered to the
// views.
//
// Thread-safe.
#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "api/cassandra/executor/view/view_registry.h"
#include "api/cassandra/executor/view/write_grace_period.h"
#include "api/cassandra/executor/write/write_run.h"

namespace orrery::cassandra {

class TableViews final : public ViewPlanner {
 public:
  // Both must outlive it and every write that it has planned.
  TableViews(const ViewRegistry& registry, const WriteGracePeriod& grace_period)
      : registry_(registry), grace_period_(grace_period) {}

  std::shared_ptr<const void> Enter() const override { return grace_period_.Enter(); }
  std::unique_ptr<ViewMaintenance> Plan(
      const Table& base, std::string_view partition_key,
      std::span<const WrittenStatement> statements) const override;
  CqlResult<std::vector<item::DerivedWrite>> Foresee(
      const Table& base, std::string_view partition_key,
      const item::RowChanges& changes) const override;

 private:
  const ViewRegistry& registry_;
  const WriteGracePeriod& grace_period_;
};

}  // namespace orrery::cassandra
