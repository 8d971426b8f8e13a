#include "api/cassandra/executor/view/table_views.h"

#include "api/cassandra/executor/view/view_derived_writes.h"
#include "model/row/row_codec.h"

namespace orrery::cassandra {
namespace {

class Maintenance final : public ViewMaintenance {
 public:
  Maintenance(const ViewRegistry& registry, std::string base_id, std::string partition_key)
      : registry_(registry),
        base_id_(std::move(base_id)),
        partition_key_(std::move(partition_key)) {}

  void Touch(const BoundModification& bound) {
    const bool clustered = bound.plan->table->clustering_count != 0;
    for (const ClusteringRange& range : bound.rows) {
      if (clustered && !range.is_row && bound.plan->deletes_rows()) {
        ranges_.push_back({range.lower, range.upper});
      } else {
        reads_.push_back(clustered ? range.lower : std::string());
      }
    }
  }
  bool touches_rows() const { return !reads_.empty() || !ranges_.empty(); }

  std::span<const std::string> reads() const override { return reads_; }
  std::span<const item::RowRange> read_ranges() const override { return ranges_; }
  CqlResult<std::vector<item::DerivedWrite>> Follow(std::span<const item::TouchedRow> rows,
                                                    Micros now) const override {
    const BaseViewsPtr views = registry_.Find(base_id_);
    // The views, or the table itself, were dropped since.
    if (views == nullptr) return std::vector<item::DerivedWrite>();
    return DerivedWritesOf(*views, partition_key_, rows, now);
  }

 private:
  const ViewRegistry& registry_;
  const std::string base_id_;
  const std::string partition_key_;
  std::vector<std::string> reads_;
  std::vector<item::RowRange> ranges_;
};

}  // namespace

std::unique_ptr<ViewMaintenance> TableViews::Plan(
    const Table& base, std::string_view partition_key,
    std::span<const WrittenStatement> statements) const {
  if (registry_.Find(base.id) == nullptr) return nullptr;
  auto maintenance = std::make_unique<Maintenance>(registry_, base.id, std::string(partition_key));
  for (const WrittenStatement& statement : statements) {
    if (!statement.plan->only_statics) maintenance->Touch(statement.bound);
  }
  if (!maintenance->touches_rows()) return nullptr;
  return maintenance;
}

CqlResult<std::vector<item::DerivedWrite>> TableViews::Foresee(
    const Table& base, std::string_view partition_key, const item::RowChanges& changes) const {
  const BaseViewsPtr views = registry_.Find(base.id);
  if (views == nullptr) return std::vector<item::DerivedWrite>();
  std::vector<model::Row> rows(changes.rows.size());
  std::vector<item::TouchedRow> touched;
  for (size_t i = 0; i < rows.size(); ++i) {
    if (!model::DecodeRow(changes.rows[i].row, rows[i]).has_value()) continue;
    touched.push_back({changes.rows[i].clustering, nullptr, &rows[i]});
  }
  return DerivedWritesOf(*views, partition_key, touched, Micros(1));
}

}  // namespace orrery::cassandra
