// Scans in the order of distance to a vector.
//
// An index of vectors says of each item how near it is, more or less; the items that may be among
// the nearest are examined, the most promising first, until the rest cannot be. Index and data are
// read in one snapshot.
#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <tuple>
#include <unordered_set>
#include <utility>

#include "item/index/document_lookup.h"
#include "item/index/vector_terms.h"
#include "item/layout/entry_codec.h"
#include "item/read/index_bounds.h"
#include "item/read/nearest_candidates.h"
#include "item/read/reader.h"
#include "item/read/sketch_walk.h"
#include "model/vector/vector_code.h"
#include "model/vector/vector_sketch.h"

namespace orrery::item {
namespace {

// An index with fewer vectors is compared as a whole, and exactly, as Azure Cosmos DB has it.
constexpr size_t kSketchedMin = 1'000;
// Quantized vectors deviate in any direction: the measure is wrong by the length of the deviation
// divided by the root of the dimensions, and by more than kSpread times that once in 16,000.
constexpr double kSpread = 4;

class NearestScan {
 public:
  struct Parts {
    storage::ReadView view;  // frozen
    const ContainerSchema& schema;
    const NamedIndex& index;
    const partition::HashRange& range;
    const ScanRequest& request;
    const NearestSearch& search;
    const std::optional<NearestPosition>& after;
    const PageLimits& limits;
    storage::ReadMode mode;
    Micros now;
  };
  explicit NearestScan(const Parts& parts)
      : parts_(parts), estimator_(parts.search.measure, parts.search.target) {
    const double dimensions = parts_.index.vectors.dimensions;
    const bool is_rough =
        parts_.index.vectors.type != VectorIndexType::kFlat && !parts_.search.compares_all;
    if (is_rough) spread_ = std::min(1.0, kSpread / std::sqrt(dimensions));
  }

  Result<Page> Run() {
    size_t wanted = std::max<size_t>(parts_.limits.items_max, 1);
    page_.ranges_sought = 1;
    while (true) {
      NearestCandidates candidates(wanted, parts_.after);
      ORRERY_TRY(Gather(candidates));
      ORRERY_ASSIGN(const bool saw_all, LookAt(candidates, wanted));
      const double limit = candidates.left_out() ? candidates.limit() : kInfinity;
      std::ranges::sort_heap(found_, Before);
      // Items that were left out may stand between those above the limit.
      std::erase_if(found_, [limit](const Found& item) { return item.rank > limit; });
      if (!found_.empty() || saw_all) return PageOf(saw_all);
      wanted *= 4;
    }
  }

 private:
  static constexpr double kInfinity = std::numeric_limits<double>::infinity();

  struct Found {
    double rank;
    ScannedItem item;
  };
  static bool Before(const Found& a, const Found& b) {
    if (a.rank != b.rank) return a.rank < b.rank;
    const ItemKey& x = a.item.key;
    const ItemKey& y = b.item.key;
    return std::tie(x.hash, x.partition_key, x.row_key) <
           std::tie(y.hash, y.partition_key, y.row_key);
  }

  double RankOf(double number) const { return parts_.search.descending ? -number : number; }

  bool UsesSketches() const {
    const model::VectorMeasure measure = parts_.search.measure;
    return parts_.index.vectors.type == VectorIndexType::kSketched &&
           parts_.index.vectors.measure == measure && !parts_.search.compares_all &&
           parts_.search.descending != model::IsDistance(measure) &&
           !parts_.request.partition_key.has_value() &&
           model::SketchOf(measure, parts_.search.target).has_value();
  }

  Status Gather(NearestCandidates& candidates) {
    if (!parts_.search.among.empty()) return GatherAmong(candidates);
    if (UsesSketches()) return GatherBySketches(candidates);
    return GatherAll(candidates);
  }

  std::unique_ptr<storage::Iterator> Cursor(KeyBounds bounds) const {
    return parts_.view.NewIterator(
        {.lower = std::move(bounds.lower), .upper = std::move(bounds.upper), .mode = parts_.mode});
  }
  std::string Prefix(std::string_view value) const {
    return IndexPrefix(parts_.schema.id, NamedIndexId(parts_.index.id)) + std::string(value);
  }
  void Pass(size_t bytes) {
    ++page_.entries_passed;
    page_.bytes_examined += bytes;
  }

  // Each entry that is the slice's own and not void.
  template <typename Visit>
  Status ForEachEntry(KeyBounds bounds, Visit visit) {
    if (bounds.lower >= bounds.upper) return {};
    const auto cursor = Cursor(std::move(bounds));
    for (cursor->SeekToFirst(); cursor->Valid(); cursor->Next()) {
      Pass(cursor->key().size() + cursor->value().size());
      const auto key = DecodeKey(cursor->key());
      if (!key.has_value()) return Fail(Code::kCorruption, "a stored index entry's key is damaged");
      if (!IsWanted(parts_.request, *key, parts_.range)) continue;
      ORRERY_ASSIGN(const IndexEntry entry, DecodeIndexEntry(cursor->value()));
      if (ExpiredAt(entry.expiry, parts_.now)) continue;
      ORRERY_TRY(visit(*key, entry));
    }
    return cursor->status();
  }

  Status GatherAll(NearestCandidates& candidates) {
    return ForEachEntry(BoundsOfOneValue(parts_.request, Prefix(kVectorValue), parts_.range),
                        [&](const DecodedKey& key, const IndexEntry& entry) {
                          return Add(key.ref(), entry, candidates);
                        });
  }

  Status GatherAmong(NearestCandidates& candidates) {
    std::unordered_set<std::string> met;  // items with several entries
    const auto visit = [&](const DecodedKey& key, const IndexEntry& entry) -> Status {
      if (entry.one_of_several && !met.insert(DataKey(parts_.schema.id, key.ref())).second)
        return {};
      return LookUp(key.ref(), candidates);
    };
    for (const IndexRange& range : parts_.search.among) {
      for (const ValueInterval& interval : CutIntervals(parts_.schema.indexing, range)) {
        ORRERY_TRY(ForEachEntry(
            IndexBounds(parts_.request, range.index, interval, parts_.schema, parts_.range),
            visit));
      }
    }
    return {};
  }

  Status GatherBySketches(NearestCandidates& candidates) {
    const std::string prefix = Prefix(kSketchValue);
    const auto cursor = Cursor({prefix, PrefixEnd(prefix)});
    const model::SketchComparer comparer(parts_.search.measure, parts_.search.target);
    SketchWalk walk({.cursor = *cursor,
                     .prefix = prefix,
                     .comparer = comparer,
                     .range = parts_.range,
                     .now = parts_.now});
    ORRERY_ASSIGN(const bool is_small, walk.Begin(kSketchedMin - 1));
    if (is_small) {
      spread_ = 1;
      return GatherAll(candidates);
    }
    while (true) {
      const double number = RankOf(candidates.limit());
      const double square =
          std::isfinite(number) ? model::SquareOf(parts_.search.measure, number) : kInfinity;
      ORRERY_ASSIGN(const auto item, walk.Next(square));
      if (!item.has_value()) break;
      ORRERY_TRY(LookUp(*item, candidates));
    }
    if (!walk.done()) candidates.LeaveOut();
    page_.entries_passed += walk.entries_passed();
    page_.bytes_examined += walk.bytes_passed();
    return {};
  }

  // The item's vector in the index.
  Status LookUp(ItemRef item, NearestCandidates& candidates) {
    WriteIndexKey(key_, parts_.schema.id, NamedIndexId(parts_.index.id), kVectorValue, item);
    ORRERY_ASSIGN(const bool exists, parts_.view.Get(key_, stored_, parts_.mode));
    if (!exists) return {};
    Pass(key_.size() + stored_.view().size());
    ORRERY_ASSIGN(const IndexEntry entry, DecodeIndexEntry(stored_.view()));
    if (ExpiredAt(entry.expiry, parts_.now)) return {};
    return Add(item, entry, candidates);
  }

  Status Add(ItemRef item, const IndexEntry& entry, NearestCandidates& candidates) const {
    const auto estimate = estimator_.Of(entry.payload);
    if (!estimate.has_value()) return Fail(Code::kCorruption, "a stored vector is damaged");
    if (model::VectorEstimator::IsNone(*estimate)) return {};
    const double rank = RankOf(estimate->value);
    const double error = estimate->error * spread_;
    candidates.Add(item, rank - error, rank + error);
    return {};
  }

  // Reads the candidates that may be among the wanted; whether there are no others behind them.
  Result<bool> LookAt(NearestCandidates& candidates, size_t wanted) {
    found_.clear();
    const std::vector<NearestCandidates::Candidate> promising = candidates.Take();
    bool saw_all = !candidates.left_out();
    for (const NearestCandidates::Candidate& candidate : promising) {
      if (found_.size() == wanted && candidate.least > found_.front().rank) {
        saw_all = false;
        break;
      }
      ORRERY_TRY(LookAt(candidate.key));
      if (found_.size() <= wanted) continue;
      std::ranges::pop_heap(found_, Before);
      found_.pop_back();
      saw_all = false;
    }
    return saw_all;
  }

  Status LookAt(const ItemKey& key) {
    WriteDataKey(key_, parts_.schema.id, key);
    ORRERY_ASSIGN(const bool exists, parts_.view.Get(key_, stored_, parts_.mode));
    if (!exists) return {};
    ++page_.examined;
    page_.bytes_examined += stored_.view().size();
    ORRERY_ASSIGN(const RecordView record, DecodeRecord(stored_.view()));
    if (record.ExpiredAt(parts_.now)) return {};
    const auto document = model::DocumentView::Trusted(record.document);
    const auto rank = RankOf(document);
    if (!rank.has_value()) return {};
    if (parts_.after.has_value()) {
      const int order = Compare(*rank, key, *parts_.after);
      if (order < 0 || (order == 0 && !parts_.after->with_item)) return {};
    }
    if (parts_.request.filter != nullptr && !model::Matches(*parts_.request.filter, document)) {
      ++page_.items_rejected;
      page_.bytes_rejected += record.document.size();
      return {};
    }
    found_.push_back({*rank,
                      {.key = key,
                       .lsn = record.lsn,
                       .time = record.time,
                       .document = model::Document::Trusted(std::string(record.document)),
                       .bytes = record.document.size()}});
    std::ranges::push_heap(found_, Before);
    return {};
  }

  std::optional<double> RankOf(model::DocumentView document) const {
    const auto found = FindAt(document, parts_.index.paths.front().steps());
    if (!found.has_value()) return std::nullopt;
    const auto vector = model::VectorOf(*found, parts_.index.vectors.dimensions);
    if (!vector.has_value()) return std::nullopt;
    const auto number = model::Measure(parts_.search.measure, *vector, parts_.search.target);
    if (!number.has_value()) return std::nullopt;
    return RankOf(*number);
  }

  Page PageOf(bool saw_all) {
    size_t bytes = 0;
    for (Found& found : found_) {
      if (!page_.items.empty() && bytes >= parts_.limits.bytes_max) {
        saw_all = false;
        break;
      }
      bytes += found.item.document.bson().size();
      page_.items.push_back(std::move(found.item));
      last_rank_ = found.rank;
    }
    if (!saw_all)
      page_.next = EncodeNearestPosition({.rank = last_rank_, .key = page_.items.back().key});
    return std::move(page_);
  }

  const Parts parts_;
  const model::VectorEstimator estimator_;
  double spread_ = 1;
  std::vector<Found> found_;  // a heap, the last on top
  double last_rank_ = 0;
  Page page_;
  // Reused for every item.
  std::string key_;
  storage::PinnedValue stored_;
};

}  // namespace

Result<Page> SliceReader::ScanNearest(const NearestSearch& search, const ScanRequest& request,
                                      const std::optional<std::string>& continuation,
                                      const PageLimits& limits, storage::ReadMode mode) const {
  const auto& named = schema_.indexing.named();
  const auto index = std::ranges::find_if(named, [&](const NamedIndex& candidate) {
    return NamedIndexId(candidate.id) == search.index;
  });
  if (index == named.end() || index->kind != IndexKind::kVectors ||
      search.target.size() != index->vectors.dimensions)
    return Fail(Code::kInvalidArgument, "there is no such index of vectors");
  std::optional<NearestPosition> after = search.after;
  if (continuation.has_value()) {
    ORRERY_ASSIGN(after, DecodeNearestPosition(*continuation));
  }
  const storage::FrozenView frozen(view_);
  return NearestScan({.view = frozen.view(),
                      .schema = schema_,
                      .index = *index,
                      .range = range_,
                      .request = request,
                      .search = search,
                      .after = after,
                      .limits = limits,
                      .mode = mode,
                      .now = now_})
      .Run();
}

}  // namespace orrery::item
