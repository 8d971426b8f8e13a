#include "item/upkeep/retention_rule.h"

#include <algorithm>
#include <chrono>
#include <optional>

#include "item/layout/entry_codec.h"
#include "item/layout/feed_codec.h"
#include "item/layout/record_codec.h"
#include "item/row/partition_head.h"
#include "item/row_feed/feed_pack.h"
#include "model/row/row_codec.h"
#include "model/row/row_merge.h"
#include "partition/map/hash_ranges.h"

namespace orrery::item {
namespace {

// When what the entry belongs to expires; nullopt for never, and for bytes that are damaged.
std::optional<Micros> ExpiryOf(Space space, std::string_view value) {
  if (space == Space::kData) {
    const auto record = DecodeRecord(value);
    return record.has_value() ? record->expiry : std::nullopt;
  }
  if (space == Space::kIndex) {
    const auto entry = DecodeIndexEntry(value);
    return entry.has_value() ? entry->expiry : std::nullopt;
  }
  if (space == Space::kUnique) {
    const auto entry = DecodeUniqueEntry(value);
    return entry.has_value() ? entry->expiry : std::nullopt;
  }
  return std::nullopt;
}

}  // namespace

RetentionRule::RetentionRule(const Clock& clock, Micros expiry_grace)
    : clock_(clock), expiry_grace_(expiry_grace) {}

void RetentionRule::SetSlices(std::shared_ptr<const RetainedSlices> slices) {
  slices_.Store(std::move(slices));
}

bool RetentionRule::Keep(std::string_view key, std::string_view value) const {
  const auto slices = slices_.Load();
  if (slices == nullptr) return true;
  const auto decoded = DecodeKey(key);
  if (!decoded.has_value()) return true;

  const auto slice = slices->find(decoded->container);
  if (slice == slices->end()) return false;
  if (decoded->space == Space::kRowFeed) return HasLiveChange(value, slice->second);
  if (!partition::AnyContains(slice->second.ranges, decoded->hash)) return false;
  if (decoded->space == Space::kCleared) return !IsForgotten(*decoded, value, slice->second);
  if (decoded->space == Space::kRow) return !IsDead(*decoded, value, slice->second);
  if (decoded->space == Space::kFeed) return !PastRetention(value, slice->second.feed_retention);
  return !PastGrace(*decoded, value);
}

bool RetentionRule::IsDead(const DecodedKey& key, std::string_view value,
                           const RetainedSlice& slice) const {
  model::Row row;
  if (!model::DecodeRow(value, row).has_value()) return false;
  if (slice.clustered && key.row_key.empty()) {
    if (row.deletion.exists()) hidden_rows_.Met(key, row.deletion.local_s);
    if (row.deletion.exists() || IsMarkedCleared(row)) return false;
  }
  const uint32_t before_s = GraceBegan(slice);
  return before_s > 0 && model::IsPurgeable(row, before_s);
}

bool RetentionRule::IsForgotten(const DecodedKey& key, std::string_view value,
                                const RetainedSlice& slice) const {
  const auto cleared = DecodeCleared(key.row_key, value);
  if (!cleared.has_value()) return false;
  const uint32_t local_s = cleared->deletion.local_s;
  return hidden_rows_.Met(key, local_s) && local_s < GraceBegan(slice);
}

uint32_t RetentionRule::GraceBegan(const RetainedSlice& slice) const {
  const auto began =
      std::chrono::duration_cast<std::chrono::seconds>(clock_.Now() - slice.deletion_grace);
  return static_cast<uint32_t>(std::max<int64_t>(began.count(), 0));
}

bool RetentionRule::PastGrace(const DecodedKey& key, std::string_view value) const {
  const auto expiry = ExpiryOf(key.space, value);
  return expiry.has_value() && *expiry <= clock_.Now() - expiry_grace_;
}

bool RetentionRule::PastRetention(std::string_view change, Micros retention) const {
  const auto decoded = DecodeChange(change);
  return decoded.has_value() && decoded->superseded && decoded->time <= clock_.Now() - retention;
}

bool RetentionRule::HasLiveChange(std::string_view pack, const RetainedSlice& slice) const {
  std::vector<PackedChange> changes;
  if (!DecodePack(pack, changes).has_value()) return true;
  return std::ranges::any_of(changes, [&](const PackedChange& stored) {
    return partition::AnyContains(slice.ranges, stored.hash) &&
           !PastRetention(stored.change, slice.feed_retention);
  });
}

}  // namespace orrery::item
