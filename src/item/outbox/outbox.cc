#include "item/outbox/outbox.h"

#include <algorithm>
#include <utility>

#include "item/layout/key_layout.h"
#include "item/outbox/derived_write_codec.h"
#include "item/write/maintenance_mutation.h"

namespace orrery::item {
namespace {

class OutboxRemovalMutation final : public MaintenanceMutation {
 public:
  OutboxRemovalMutation(std::vector<OutboxPlace> places, Done done)
      : MaintenanceMutation(std::move(done)), places_(std::move(places)) {}

  Status Evaluate(partition::GroupWriter& writer) override {
    std::string key;
    for (const OutboxPlace& place : places_) {
      WriteOutboxKey(key, place.container, place.hash, place.lsn);
      writer.DeleteUnread(key);
    }
    return {};
  }

  size_t bytes() const override { return places_.size() * sizeof(OutboxPlace); }

 private:
  const std::vector<OutboxPlace> places_;
};

bool Owns(const SliceRanges& slices, const DecodedKey& key) {
  const auto ranges = slices.find(key.container);
  return ranges != slices.end() &&
         std::ranges::any_of(ranges->second, [&](const partition::HashRange& range) {
           return range.Contains(key.hash);
         });
}

}  // namespace

void PutOutboxEntry(partition::GroupWriter& writer, ContainerId container, Hash128 hash,
                    std::span<const DerivedWrite> first, std::span<const DerivedWrite> second) {
  std::string key;
  std::string value;
  WriteOutboxKey(key, container, hash, writer.lsn());
  EncodeDerivedWrites(value, first, second);
  writer.PutUnread(key, value);
}

Result<OutboxPage> ReadOutbox(const storage::Engine& engine, const SliceRanges& slices,
                              std::string_view from) {
  const std::string all(1, static_cast<char>(Space::kOutbox));
  const auto cursor = engine.NewIterator({.lower = from.empty() ? all : std::string(from),
                                          .upper = PrefixEnd(all),
                                          .fill_cache = false});
  OutboxPage page;
  size_t bytes = 0;
  size_t examined = 0;
  for (cursor->SeekToFirst(); cursor->Valid(); cursor->Next()) {
    if (page.entries.size() >= kOutboxPageEntriesMax || bytes >= kOutboxPageBytesMax ||
        examined >= kOutboxEntriesExaminedMax) {
      page.next = std::string(cursor->key());
      return page;
    }
    ++examined;
    const auto key = DecodeKey(cursor->key());
    if (!key.has_value()) return Fail(Code::kCorruption, "a stored outbox entry's key is damaged");
    if (!Owns(slices, *key)) continue;
    const OutboxPlace place{key->container, key->hash, key->lsn};
    auto derived_writes = DecodeDerivedWrites(cursor->value());
    if (!derived_writes.has_value()) {
      page.damaged.push_back(place);
      continue;
    }
    bytes += cursor->value().size();
    page.entries.push_back({place, *std::move(derived_writes)});
  }
  ORRERY_TRY(cursor->status());
  return page;
}

std::unique_ptr<partition::Mutation> OutboxRemoval(std::vector<OutboxPlace> places,
                                                   std::move_only_function<void(Status)> done) {
  return std::make_unique<OutboxRemovalMutation>(std::move(places), std::move(done));
}

}  // namespace orrery::item
