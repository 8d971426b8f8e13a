#include "item/maintenance/expiry.h"

#include <utility>

#include "item/write/maintenance_mutation.h"
#include "item/write/version_writer.h"

namespace orrery::item {
namespace {

class ExpiryMutationImpl final : public SizeMaintenanceMutation {
 public:
  ExpiryMutationImpl(std::shared_ptr<const ContainerSchema> schema, std::vector<ExpiredItem> items,
                     Ledger& ledger, Done done)
      : SizeMaintenanceMutation(ledger, std::move(done)),
        schema_(std::move(schema)),
        items_(std::move(items)) {
    for (const ExpiredItem& item : items_) bytes_ += BytesOf(item.key);
  }

  size_t bytes() const override { return bytes_; }

 private:
  Status Apply(partition::GroupWriter& writer) override {
    VersionWriter versions(writer, *schema_);
    for (const ExpiredItem& item : items_) {
      ORRERY_TRY(Remove(writer, versions, item));
      const Totals change = versions.TakeChange();
      if (change == Totals{}) continue;
      ORRERY_TRY(ledger().RecordChange(writer, schema_->id, item.key.hash, item.key.partition_key,
                                       change,
                                       /*bytes_max=*/0));
    }
    return {};
  }

  Status Remove(partition::GroupWriter& writer, VersionWriter& versions, const ExpiredItem& item) {
    if (item.expiry > writer.now()) return {};
    std::string key;
    WriteExpiryKey(key, schema_->id, item.expiry, item.key);
    ORRERY_ASSIGN(const auto stored_entry, writer.Get(key));
    if (!stored_entry.has_value()) return {};
    ORRERY_ASSIGN(const ExpiryEntry entry, DecodeExpiryEntry(*stored_entry));
    if (entry.lsn != item.lsn) return {};

    WriteDataKey(key, schema_->id, item.key);
    ORRERY_ASSIGN(const auto stored, writer.Get(key));
    if (!stored.has_value()) {
      return versions.RemoveRemains(item.key, item.expiry, entry, /*replaced=*/false);
    }
    ORRERY_ASSIGN(const RecordView record, DecodeRecord(*stored));
    if (record.lsn != entry.lsn || record.seq != entry.seq) {
      return versions.RemoveRemains(item.key, item.expiry, entry, /*replaced=*/true);
    }
    ORRERY_ASSIGN(const StoredVersion version,
                  versions.Describe(item.key, key, stored->size(), record));
    return versions.Remove(item.key, key, version, /*by_expiry=*/true);
  }

  const std::shared_ptr<const ContainerSchema> schema_;
  const std::vector<ExpiredItem> items_;
  size_t bytes_ = 0;
};

}  // namespace

Result<std::vector<ExpiredItem>> FindExpired(const storage::Engine& engine, ContainerId container,
                                             const partition::HashRange& range, Micros now,
                                             size_t limit) {
  std::vector<ExpiredItem> found;
  const auto cursor = engine.NewIterator({.lower = SpacePrefix(Space::kExpiry, container),
                                          .upper = ExpiryPrefix(container, now + Micros(1)),
                                          .fill_cache = false});
  cursor->SeekToFirst();
  for (size_t examined = 0;
       cursor->Valid() && found.size() < limit && examined < kExpiryEntriesExaminedMax;
       ++examined, cursor->Next()) {
    const auto key = DecodeKey(cursor->key());
    if (!key.has_value()) return Fail(Code::kCorruption, "a stored expiry entry's key is damaged");
    if (!range.Contains(key->hash)) continue;
    ORRERY_ASSIGN(const ExpiryEntry entry, DecodeExpiryEntry(cursor->value()));
    found.push_back({.key = key->item(), .lsn = entry.lsn, .expiry = key->expiry});
  }
  ORRERY_TRY(cursor->status());
  return found;
}

std::unique_ptr<partition::Mutation> ExpiryMutation(std::shared_ptr<const ContainerSchema> schema,
                                                    std::vector<ExpiredItem> items, Ledger& ledger,
                                                    std::move_only_function<void(Status)> done) {
  return std::make_unique<ExpiryMutationImpl>(std::move(schema), std::move(items), ledger,
                                              std::move(done));
}

}  // namespace orrery::item
