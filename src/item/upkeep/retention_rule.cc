#include "item/upkeep/retention_rule.h"

#include <algorithm>
#include <chrono>
#include <optional>

#include "item/layout/entry_codec.h"
#include "item/layout/feed_codec.h"
#include "item/layout/record_codec.h"
#include "item/row/partition_head.h"
#include "model/row/row_codec.h"
#include "model/row/row_merge.h"

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
  const bool inside = std::ranges::any_of(
      slice->second.ranges,
      [&](const partition::HashRange& range) { return range.Contains(decoded->hash); });
  if (!inside) return false;
  if (decoded->space == Space::kCleared) return true;
  if (decoded->space == Space::kRow) return !IsDead(*decoded, value, slice->second);
  if (decoded->space == Space::kFeed) return !PastRetention(value, slice->second.feed_retention);
  return !PastGrace(*decoded, value);
}

bool RetentionRule::IsDead(const DecodedKey& key, std::string_view value,
                           const RetainedSlice& slice) const {
  const int64_t before_s =
      std::chrono::duration_cast<std::chrono::seconds>(clock_.Now() - slice.deletion_grace).count();
  if (before_s <= 0) return false;
  model::Row row;
  if (!model::DecodeRow(value, row).has_value()) return false;
  const bool hides_others =
      slice.clustered && key.row_key.empty() && (row.deletion.exists() || IsMarkedCleared(row));
  return !hides_others && model::IsPurgeable(row, static_cast<uint32_t>(before_s));
}

bool RetentionRule::PastGrace(const DecodedKey& key, std::string_view value) const {
  const auto expiry = ExpiryOf(key.space, value);
  return expiry.has_value() && *expiry <= clock_.Now() - expiry_grace_;
}

bool RetentionRule::PastRetention(std::string_view change, Micros retention) const {
  const auto decoded = DecodeChange(change);
  return decoded.has_value() && decoded->superseded && decoded->time <= clock_.Now() - retention;
}

}  // namespace orrery::item
