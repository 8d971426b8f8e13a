#include "item/row_feed/row_feed_sweep.h"

#include <algorithm>
#include <utility>

#include "item/layout/key_layout.h"
#include "item/row_feed/row_feed.h"
#include "item/write/maintenance_mutation.h"
#include "model/row/row_codec.h"
#include "partition/map/hash_ranges.h"

namespace orrery::item {
namespace {

class RewriteFeedMutation final : public MaintenanceMutation {
 public:
  RewriteFeedMutation(FeedRewrite rewrite, Done done)
      : MaintenanceMutation(std::move(done)), rewrite_(std::move(rewrite)) {
    for (const std::string& key : rewrite_.removed) bytes_ += key.size();
    for (const auto& [key, pack] : rewrite_.put) bytes_ += key.size() + pack.size();
  }

  Status Evaluate(partition::GroupWriter& writer) override {
    for (const std::string& key : rewrite_.removed) writer.DeleteUnread(key);
    for (const auto& [key, pack] : rewrite_.put) writer.PutUnread(key, pack);
    return {};
  }
  size_t bytes() const override { return bytes_; }

 private:
  const FeedRewrite rewrite_;
  size_t bytes_ = 0;
};

// Returns whether the change is about the row that it names: the deletion of a range names only its
// beginning.
bool IsOfRow(const Change& change) { return !change.image.has_value(); }

}  // namespace

size_t FeedSweep::RowRefHash::operator()(const RowRef& row) const {
  const std::hash<std::string_view> hash;
  return hash(row.partition_key) * 31 + hash(row.clustering);
}

FeedSweep::FeedSweep(const storage::Engine& engine, const ContainerSchema& schema,
                     FeedSweepRequest request)
    : engine_(&engine), schema_(&schema), request_(std::move(request)), position_(request_.after) {}

Result<FeedSweep> FeedSweep::Open(const storage::Engine& engine, const ContainerSchema& schema,
                                  FeedSweepRequest request) {
  FeedSweep sweep(engine, schema, std::move(request));
  ORRERY_TRY(sweep.ReadSegment());
  return sweep;
}

Status FeedSweep::ReadSegment() {
  const auto cursor =
      engine_->NewIterator({.lower = RowFeedPrefix(schema_->id, position_.Next()),
                            .upper = RowFeedPrefix(schema_->id, request_.until.Next()),
                            .fill_cache = false});
  LastChanges last;
  for (cursor->SeekToFirst(); cursor->Valid(); cursor->Next()) {
    const auto key = DecodeKey(cursor->key());
    if (!key.has_value()) return Fail(Code::kCorruption, "a change feed entry's key is damaged");
    if (changes_.size() >= kSegmentChanges && key->lsn != packs_.back().last) return {};
    Pack& pack =
        packs_.emplace_back(std::string(cursor->key()), key->lsn, std::string(cursor->value()));
    const size_t first = changes_.size();
    ORRERY_TRY(DecodePack(pack.bytes, changes_));
    pack.changes = changes_.size() - first;
    ORRERY_TRY(NoteFollowed(first, last));
  }
  whole_ = true;
  return cursor->status();
}

Status FeedSweep::NoteFollowed(size_t first, LastChanges& last) {
  followed_.resize(changes_.size());
  for (size_t number = first; number < changes_.size(); ++number) {
    ORRERY_ASSIGN(const Change change, DecodeChange(changes_[number].change));
    const Place place{changes_[number].lsn, number, change.superseded};
    if (!IsOfRow(change)) continue;
    const auto [found, added] = last.try_emplace({change.partition_key, change.row_key}, place);
    if (added || found->second.lsn == place.lsn) continue;
    const bool later = place.lsn > found->second.lsn;
    const Place& earlier = later ? found->second : place;
    if (!earlier.ages) followed_[earlier.number] = true;
    if (later) found->second = place;
  }
  return {};
}

bool FeedSweep::IsOurs(const PackedChange& stored) const {
  return partition::AnyContains(request_.ranges, stored.hash);
}

Result<FeedSweep::Verdict> FeedSweep::Judge(size_t number) const {
  if (followed_[number]) return Verdict::kStale;
  const PackedChange& stored = changes_[number];
  ORRERY_ASSIGN(const Change change, DecodeChange(stored.change));
  if (change.superseded) {
    const bool over = change.time <= request_.now - FeedKeepsDeletionsFor(*schema_);
    return over ? Verdict::kStale : Verdict::kLast;
  }
  if (stored.lsn > request_.settled) return whole_ ? Verdict::kLast : Verdict::kUnknown;
  ORRERY_ASSIGN(const bool newer, IsRowNewer(stored, change));
  return newer ? Verdict::kStale : Verdict::kLast;
}

Result<bool> FeedSweep::IsRowNewer(const PackedChange& stored, const Change& change) const {
  std::string row_key;
  WriteRowKey(row_key, schema_->id, {stored.hash, change.partition_key, change.row_key});
  storage::PinnedValue value;
  ORRERY_ASSIGN(const bool found, engine_->Get(row_key, value));
  if (!found) return true;
  ORRERY_ASSIGN(const model::RowCursor row, model::RowCursor::Open(value.view()));
  return row.lsn() > stored.lsn;
}

size_t FeedSweep::EndOfWindow() const {
  size_t end = next_;
  for (size_t changes = 0; end < packs_.size(); ++end) {
    changes += packs_[end].changes;
    const bool fits = changes <= kWindowChanges || end == next_;
    if (!fits && packs_[end].last != packs_[end - 1].last) break;
  }
  return end;
}

Result<std::optional<FeedRewrite>> FeedSweep::Next() {
  if (next_ == packs_.size()) {
    if (whole_) position_ = request_.until;
    return std::nullopt;
  }
  const size_t end = EndOfWindow();
  size_t changes = 0;
  for (size_t i = next_; i < end; ++i) changes += packs_[i].changes;
  std::vector<PackedChange> live;
  size_t foreign = 0;
  for (const size_t after = next_number_ + changes; next_number_ < after; ++next_number_) {
    const PackedChange& stored = changes_[next_number_];
    if (!IsOurs(stored)) {
      ++foreign;
      continue;
    }
    ORRERY_ASSIGN(const Verdict verdict, Judge(next_number_));
    if (verdict != Verdict::kStale) live.push_back(stored);
    if (verdict == Verdict::kLast) ++kept_;
  }
  const size_t stale = changes - foreign - live.size();
  FeedRewrite rewrite;
  const bool worth = foreign > 0 ? request_.trim : stale > 0 && stale * kWorthOneOf >= changes;
  if (worth) rewrite = Rewrite(end, std::move(live));
  position_ = packs_[end - 1].last;
  next_ = end;
  return rewrite;
}

FeedRewrite FeedSweep::Rewrite(size_t end, std::vector<PackedChange> live) const {
  std::ranges::sort(live, {}, &PackedChange::place);
  const auto twice = std::ranges::unique(live, {}, &PackedChange::place);
  live.erase(twice.begin(), twice.end());
  FeedRewrite rewrite;
  PackBuilder builder;
  const auto put = [&] {
    rewrite.put.push_back(builder.Build(schema_->id));
    builder.Clear();
  };
  for (const PackedChange& change : live) {
    if (!builder.TakesMoreAt(change.lsn)) put();
    builder.Add(change);
  }
  if (!builder.empty()) put();
  for (size_t i = next_; i < end; ++i) {
    const bool stays = std::ranges::binary_search(rewrite.put, packs_[i].key, {}, &StoredPack::key);
    if (!stays) rewrite.removed.push_back(packs_[i].key);
  }
  return rewrite;
}

std::unique_ptr<partition::Mutation> RewriteFeed(FeedRewrite rewrite,
                                                 std::move_only_function<void(Status)> done) {
  return std::make_unique<RewriteFeedMutation>(std::move(rewrite), std::move(done));
}

Result<std::optional<StoredPack>> PackWithin(std::string_view pack, ContainerId container,
                                             const std::vector<partition::HashRange>& ranges) {
  std::vector<PackedChange> changes;
  ORRERY_TRY(DecodePack(pack, changes));
  PackBuilder builder;
  for (const PackedChange& change : changes) {
    if (partition::AnyContains(ranges, change.hash)) builder.Add(change);
  }
  if (builder.empty()) return std::nullopt;
  return builder.Build(container);
}

FeedSweepPass::Span FeedSweepPass::Next(Lsn last) {
  if (!running_) {
    running_ = true;
    const bool looks = !one_segment_ || ++since_rows_looked_ >= kRowsLooked;
    if (looks) since_rows_looked_ = 0;
    settled_ = looks ? began_ : Lsn();
    one_segment_ = true;
    began_ = last;
    position_ = Lsn();
    kept_ = 0;
  }
  return {position_, began_, settled_};
}

void FeedSweepPass::Looked(Lsn position, uint64_t kept) {
  position_ = position;
  kept_ += kept;
  if (position < began_) {
    one_segment_ = false;
    return;
  }
  running_ = false;
  wait_ = std::max(kPositionsMin, kGrowth * kept_);
}

}  // namespace orrery::item
