#include "item/maintenance/retention_rule.h"

#include <algorithm>
#include <chrono>
#include <optional>

#include "item/layout/entry_codec.h"
#include "item/layout/feed_codec.h"
#include "item/layout/record_codec.h"
#include "item/row/static_row.h"
#include "item/row_feed/feed_pack.h"
#include "model/row/row_codec.h"
#include "model/row/row_merge.h"
#include "partition/map/hash_ranges.h"

namespace orrery::item {
namespace {

// Returns when the owner of the entry expires; nullopt for never, and for damaged bytes.
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
  if (space == Space::kReceipt) {
    const auto entry = DecodeReceiptEntry(value);
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

storage::Fate RetentionRule::Decide(std::string_view key, std::string_view value,
                                    std::string& rest) const {
  const auto slices = slices_.Load();
  if (slices == nullptr) return storage::Fate::kStays;
  const auto decoded = DecodeKey(key);
  if (!decoded.has_value()) return storage::Fate::kStays;

  const auto slice = slices->find(decoded->container);
  if (slice == slices->end() || !Keeps(*decoded, value, slice->second)) return storage::Fate::kGoes;
  if (decoded->space != Space::kRow) return storage::Fate::kStays;
  return FateOfRow(*decoded, value, slice->second, rest);
}

bool RetentionRule::Keeps(const DecodedKey& key, std::string_view value,
                          const RetainedSlice& slice) const {
  if (key.space == Space::kRowFeed) return HasLiveChange(value, slice);
  if (!partition::AnyContains(slice.ranges, key.hash)) return false;
  if (key.space == Space::kRangeTombstone) return !IsForgotten(key, value, slice);
  if (key.space == Space::kFeed) return !PastRetention(value, slice.feed_retention);
  return !PastGrace(key, value);
}

storage::Fate RetentionRule::FateOfRow(const DecodedKey& key, std::string_view value,
                                       const RetainedSlice& slice, std::string& rest) const {
  model::Row row;
  if (!model::DecodeRow(value, row).has_value()) return storage::Fate::kStays;
  const bool is_static_row = slice.clustered && key.row_key.empty();
  if (is_static_row && row.deletion.exists()) shadowed_rows_.Met(key, row.deletion.local_s);
  const bool shrinks = ForgetDead(key, row, slice);
  if (row.is_blank()) return storage::Fate::kGoes;
  if (!shrinks) return storage::Fate::kStays;
  model::EncodeRow(rest, row);
  return storage::Fate::kShrinks;
}

void RetentionRule::Forget(std::string_view key, model::Row& row) const {
  if (!model::CanForget(row)) return;
  const auto slices = slices_.Load();
  const auto decoded = DecodeKey(key);
  if (slices == nullptr || !decoded.has_value()) return;
  const auto slice = slices->find(decoded->container);
  if (slice != slices->end()) ForgetDead(*decoded, row, slice->second);
}

bool RetentionRule::ForgetDead(const DecodedKey& key, model::Row& row,
                               const RetainedSlice& slice) const {
  const uint32_t before_s = GraceBegan(slice);
  const bool forgot = model::ForgetCells(row, before_s);
  const bool is_static_row = slice.clustered && key.row_key.empty();
  const bool hides_others = is_static_row && (row.deletion.exists() || HasRangeTombstoneMark(row));
  return (!hides_others && model::ForgetDeletions(row, before_s)) || forgot;
}

bool RetentionRule::IsForgotten(const DecodedKey& key, std::string_view value,
                                const RetainedSlice& slice) const {
  const auto tombstone = DecodeRangeTombstone(key.row_key, value);
  if (!tombstone.has_value()) return false;
  const uint32_t local_s = tombstone->deletion.local_s;
  return shadowed_rows_.Met(key, local_s) && local_s < GraceBegan(slice);
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
