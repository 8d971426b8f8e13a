#include "gateway/remote/guarded_changes.h"

#include <map>
#include <utility>

#include "gateway/remote/codec/row_change_codec.h"

namespace orrery::gateway {

void AppendGuard(MessageWriter& out, const Guard& guard) {
  out.Number(static_cast<uint64_t>(guard.step));
  out.Flag(guard.follows);
  out.Flag(guard.looks_on);
  out.Number(guard.reads.size());
  for (const std::string& key : guard.reads) out.Bytes(key);
  out.Number(guard.ranges.size());
  for (const item::RowRange& range : guard.ranges) {
    out.Bytes(range.lower);
    out.Maybe(range.upper);
  }
  out.Flag(guard.expected.has_value());
  if (guard.expected.has_value()) out.Hash(*guard.expected);
  AppendChanges(out, guard.decided);
}

Guard ReadGuard(MessageReader& in) {
  Guard guard;
  guard.step = in.Choice(Guard::Step::kCommit);
  guard.follows = in.Flag();
  guard.looks_on = in.Flag();
  const size_t reads = in.Count();
  for (size_t i = 0; i < reads && in.ok(); ++i) guard.reads.push_back(in.String());
  const size_t ranges = in.Count();
  for (size_t i = 0; i < ranges && in.ok(); ++i) {
    item::RowRange& range = guard.ranges.emplace_back();
    range.lower = in.String();
    range.upper = in.Maybe();
  }
  if (in.Flag()) guard.expected = in.Hash();
  guard.decided = ReadChanges(in);
  return guard;
}

Status GuardedChanges::Judge() {
  const bool same = !guard_.expected.has_value() || DigestOf(seen_) == *guard_.expected;
  refused_ = !same || guard_.step != Guard::Step::kCommit;
  if (!refused_) return {};
  return Fail(Code::kPreconditionFailed,
              same ? "only looked: nothing was changed" : "the rows are not those decided on");
}

Result<item::RowChanges> GuardedChanges::Decide(std::span<const std::optional<model::Row>> rows,
                                                Micros now) {
  // Again after a split: what was seen then does not count.
  seen_ = {.now = now, .rows = {}, .looked = {}};
  looked_bytes_ = 0;
  if (!follows()) {
    // As Follow gets them, so that both come to the same digest.
    std::map<std::string_view, const model::Row*> each;
    for (size_t i = 0; i < rows.size(); ++i)
      each[guard_.reads[i]] = rows[i].has_value() ? &*rows[i] : nullptr;
    for (const auto& [clustering, row] : each)
      seen_.rows.push_back({std::string(clustering), EncodeSeen(row), std::nullopt});
    ORRERY_TRY(Judge());
  }
  return guard_.decided;
}

Result<bool> GuardedChanges::LookAt(std::string_view clustering, const model::Row& row) {
  std::string bytes = *EncodeSeen(&row);
  looked_bytes_ += clustering.size() + bytes.size();
  seen_.looked.emplace_back(clustering, std::move(bytes));
  return looked_bytes_ < kLookedBytesMax;
}

Result<std::vector<item::DerivedWrite>> GuardedChanges::Follow(
    std::span<const item::TouchedRow> rows, Micros /*now*/) {
  const bool tries = guard_.step == Guard::Step::kTry;
  for (const item::TouchedRow& row : rows) {
    seen_.rows.push_back({std::string(row.clustering), EncodeSeen(row.before),
                          tries ? EncodeSeen(row.after) : std::nullopt});
  }
  ORRERY_TRY(Judge());
  // Those that were decided elsewhere are among the changes.
  return std::vector<item::DerivedWrite>();
}

}  // namespace orrery::gateway
