#include "item/row/row_index_build.h"

#include <utility>

#include "base/check.h"
#include "item/row/row_writer.h"
#include "item/write/maintenance_mutation.h"

namespace orrery::item {
namespace {

class RowReindexMutationImpl final : public SizeMaintenanceMutation {
 public:
  RowReindexMutationImpl(std::shared_ptr<const ContainerSchema> schema,
                         std::vector<RowIndex> indexes, std::vector<ItemKey> keys, Ledger& ledger,
                         Done done)
      : SizeMaintenanceMutation(ledger, std::move(done)),
        schema_(std::move(schema)),
        indexes_(std::move(indexes)),
        keys_(std::move(keys)) {
    ORRERY_CHECK(schema_->rows.has_value());
    for (const ItemKey& key : keys_) bytes_ += BytesOf(key);
  }

  size_t bytes() const override { return bytes_; }

 private:
  Status Apply(partition::GroupWriter& writer) override {
    for (size_t next = 0; next < keys_.size();) {
      ORRERY_ASSIGN(next, ReindexPartition(writer, next));
    }
    return {};
  }

  // The keys from `first` on that are of one logical partition; returns the first one that is not.
  Result<size_t> ReindexPartition(partition::GroupWriter& writer, size_t first) {
    const ItemKey& key = keys_[first];
    RowBuffers buffers;
    RowWriter rows(writer, ledger().row_changes(), *schema_, key.hash, key.partition_key, buffers);
    size_t next = first;
    for (; next < keys_.size() && keys_[next].hash == key.hash &&
           keys_[next].partition_key == key.partition_key;
         ++next) {
      ORRERY_TRY(rows.IndexStored(keys_[next].row_key, indexes_));
      buffers.clear();  // one row's bytes at a time
    }
    if (rows.change() != Totals{}) {
      ORRERY_TRY(ledger().RecordChange(writer, schema_->id, key.hash, key.partition_key,
                                       rows.change(), /*bytes_max=*/0));
    }
    return next;
  }

  const std::shared_ptr<const ContainerSchema> schema_;
  const std::vector<RowIndex> indexes_;
  const std::vector<ItemKey> keys_;
  size_t bytes_ = 0;
};

}  // namespace

std::unique_ptr<partition::Mutation> RowReindexMutation(
    std::shared_ptr<const ContainerSchema> schema, std::vector<RowIndex> indexes,
    std::vector<ItemKey> keys, Ledger& ledger, std::move_only_function<void(Status)> done) {
  return std::make_unique<RowReindexMutationImpl>(std::move(schema), std::move(indexes),
                                                  std::move(keys), ledger, std::move(done));
}

}  // namespace orrery::item
