#include "item/outbox/outbox.h"

#include <algorithm>
#include <utility>

#include "item/layout/key_layout.h"
#include "item/outbox/follower_codec.h"
#include "item/write/upkeep_mutation.h"

namespace orrery::item {
namespace {

class OutboxRemovalMutation final : public UpkeepMutation {
 public:
  OutboxRemovalMutation(std::vector<OutboxPlace> places, Done done)
      : UpkeepMutation(std::move(done)), places_(std::move(places)) {}

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
                    std::span<const Follower> first, std::span<const Follower> second) {
  std::string key;
  std::string value;
  WriteOutboxKey(key, container, hash, writer.lsn());
  EncodeFollowers(value, first, second);
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
  size_t looked_at = 0;
  for (cursor->SeekToFirst(); cursor->Valid(); cursor->Next()) {
    if (page.entries.size() >= kOutboxPageEntriesMax || bytes >= kOutboxPageBytesMax ||
        looked_at >= kOutboxEntriesLookedAtMax) {
      page.next = std::string(cursor->key());
      return page;
    }
    ++looked_at;
    const auto key = DecodeKey(cursor->key());
    if (!key.has_value()) return Fail(Code::kCorruption, "a stored outbox entry's key is damaged");
    if (!Owns(slices, *key)) continue;
    const OutboxPlace place{key->container, key->hash, key->lsn};
    auto followers = DecodeFollowers(cursor->value());
    if (!followers.has_value()) {
      page.damaged.push_back(place);
      continue;
    }
    bytes += cursor->value().size();
    page.entries.push_back({place, *std::move(followers)});
  }
  ORRERY_TRY(cursor->status());
  return page;
}

std::unique_ptr<partition::Mutation> OutboxRemoval(std::vector<OutboxPlace> places,
                                                   std::move_only_function<void(Status)> done) {
  return std::make_unique<OutboxRemovalMutation>(std::move(places), std::move(done));
}

}  // namespace orrery::item
