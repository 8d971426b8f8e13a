// Says during compaction which stored entries nobody can see any more: outside the partition's
// slices (after a split or a drop), expired longer than a grace ago, or superseded feed entries
// past their retention. A pack of changes goes when all of them could. Of rows those parts go that
// were deleted or expired longer than a grace ago, which have met everything they could, and the
// row when nothing else is left.
//
// The deletion of a range of a logical partition's rows stays until the rows that it hides were
// swept (shadowed_rows.h): they have other keys, so that they would show again. That of a whole
// logical partition stays for good: it is one.
//
// Expiry entries ('T') of the partition's own slices always stay: they are what remains of an
// expired record for the sweep, which then puts sizes and feed right. Bytes that cannot be
// understood stay too: compaction is not the place to lose them.
//
// Thread-safe: compaction threads ask while the partition changes the slices.
#pragma once

#include <map>
#include <memory>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/ids.h"
#include "base/published.h"
#include "item/layout/key_layout.h"
#include "item/maintenance/shadowed_rows.h"
#include "model/row/row.h"
#include "partition/map/hash_range.h"
#include "storage/rules.h"

namespace orrery::item {

// The visible range and the rules of one container in one physical partition.
struct RetainedSlice {
  std::vector<partition::HashRange> ranges;
  Micros feed_retention{0};
  Micros deletion_grace{0};  // of rows: how long their deletions stay
  bool clustered = false;    // of rows: a logical partition has several
};
using RetainedSlices = std::map<ContainerId, RetainedSlice>;

class RetentionRule : public storage::KeepRule {
 public:
  // Until SetSlices is called everything is kept. `expiry_grace`: how long an expired record waits
  // for the sweep that announces it. `clock` must outlive the rule.
  RetentionRule(const Clock& clock, Micros expiry_grace);

  // A container that is not among `slices` is dropped: publish a new one here before its first
  // write.
  void SetSlices(std::shared_ptr<const RetainedSlices> slices);
  storage::Fate Decide(std::string_view key, std::string_view value,
                       std::string& rest) const override;

  // Takes away for good what is dead in a whole row.
  void Forget(std::string_view key, model::Row& row) const;

  // The logical partitions to sweep, as compaction finds them.
  ShadowedRowNotes& shadowed_rows() const { return shadowed_rows_; }

 private:
  bool Keeps(const DecodedKey& key, std::string_view value, const RetainedSlice& slice) const;
  storage::Fate FateOfRow(const DecodedKey& key, std::string_view value, const RetainedSlice& slice,
                          std::string& rest) const;
  // True when there was something dead.
  bool ForgetDead(const DecodedKey& key, model::Row& row, const RetainedSlice& slice) const;
  bool IsForgotten(const DecodedKey& key, std::string_view value, const RetainedSlice& slice) const;
  // In seconds since 1970: deletions that came before are old enough to go.
  uint32_t GraceBegan(const RetainedSlice& slice) const;
  bool PastGrace(const DecodedKey& key, std::string_view value) const;
  bool PastRetention(std::string_view change, Micros retention) const;
  bool HasLiveChange(std::string_view pack, const RetainedSlice& slice) const;

  const Clock& clock_;
  const Micros expiry_grace_;
  Published<RetainedSlices> slices_;
  mutable ShadowedRowNotes shadowed_rows_;
};

}  // namespace orrery::item
