#include "item/index/index_build.h"

#include <utility>

#include "item/read/page_builder.h"
#include "item/write/maintenance_mutation.h"
#include "item/write/version_writer.h"

namespace orrery::item {
namespace {

class ReindexMutationImpl final : public SizeMaintenanceMutation {
 public:
  ReindexMutationImpl(std::shared_ptr<const ContainerSchema> schema, std::vector<ItemKey> keys,
                      Ledger& ledger, Done done, std::string* conflict)
      : SizeMaintenanceMutation(ledger, std::move(done)),
        schema_(std::move(schema)),
        keys_(std::move(keys)),
        conflict_(conflict) {
    for (const ItemKey& key : keys_) bytes_ += BytesOf(key);
  }

  size_t bytes() const override { return bytes_; }

 private:
  Status Apply(partition::GroupWriter& writer) override {
    VersionWriter versions(writer, *schema_);
    for (const ItemKey& key : keys_) {
      if (Status done = Reindex(writer, versions, key); !done.has_value()) {
        if (conflict_ != nullptr) *conflict_ = versions.conflict();
        return done;
      }
      const Totals change = versions.TakeChange();
      if (change == Totals{}) continue;
      ORRERY_TRY(ledger().RecordChange(writer, schema_->id, key.hash, key.partition_key, change,
                                       /*bytes_max=*/0));
    }
    return {};
  }

  Status Reindex(partition::GroupWriter& writer, VersionWriter& versions, const ItemKey& key) {
    const std::string data_key = DataKey(schema_->id, key);
    ORRERY_ASSIGN(const auto stored, writer.Get(data_key));
    if (!stored.has_value()) return {};
    ORRERY_ASSIGN(const RecordView record, DecodeRecord(*stored));
    if (record.ExpiredAt(writer.now())) return {};

    const auto document = model::DocumentView::Trusted(record.document);
    PreparedItem prepared;
    prepared.record = RecordBuffer(record.document);
    ORRERY_ASSIGN(prepared.terms, TermsOf(schema_->indexing, document, schema_->order));
    ORRERY_ASSIGN(prepared.unique_keys,
                  UniqueKeysOf(*schema_, key.hash, key.partition_key, document));
    if (const auto lifetime = LifetimeOf(*schema_, document); lifetime.has_value()) {
      prepared.lifetime = *lifetime;
    } else if (record.expiry.has_value()) {
      prepared.lifetime = *record.expiry - record.time;
    }
    ORRERY_ASSIGN(const StoredVersion version,
                  versions.Describe(key, data_key, stored->size(), record));
    return versions.Restamp(key, data_key, prepared, version);
  }

  const std::shared_ptr<const ContainerSchema> schema_;
  const std::vector<ItemKey> keys_;
  std::string* const conflict_;
  size_t bytes_ = 0;
};

}  // namespace

Result<ItemBatch> NextItems(const storage::Engine& engine, Space space, ContainerId container,
                            const partition::HashRange& range,
                            const std::optional<std::string>& after, size_t limit) {
  KeyBounds bounds = RingBounds(space, container, range);
  if (after.has_value()) {
    ORRERY_TRY(Resume(*after, space, container, IndexId(), /*descending=*/false, bounds));
  }
  ItemBatch batch;
  if (bounds.lower >= bounds.upper) return batch;
  const auto cursor = engine.NewIterator(
      {.lower = std::move(bounds.lower), .upper = std::move(bounds.upper), .fill_cache = false});
  std::string last;
  for (cursor->SeekToFirst(); cursor->Valid(); cursor->Next()) {
    if (batch.keys.size() >= limit) {
      batch.next = std::move(last);
      return batch;
    }
    const auto key = DecodeKey(cursor->key());
    if (!key.has_value()) return Fail(Code::kCorruption, "a stored item's key is damaged");
    batch.keys.push_back(key->item());
    last = cursor->key();
  }
  ORRERY_TRY(cursor->status());
  return batch;
}

std::unique_ptr<partition::Mutation> ReindexMutation(std::shared_ptr<const ContainerSchema> schema,
                                                     std::vector<ItemKey> keys, Ledger& ledger,
                                                     std::move_only_function<void(Status)> done,
                                                     std::string* conflict) {
  return std::make_unique<ReindexMutationImpl>(std::move(schema), std::move(keys), ledger,
                                               std::move(done), conflict);
}

Status DropIndexEntries(storage::Engine& engine, ContainerId container, IndexId index) {
  const std::string prefix = IndexPrefix(container, index);
  return engine.DropRange(prefix, PrefixEnd(prefix));
}

}  // namespace orrery::item
