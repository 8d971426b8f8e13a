#include "item/price_list.h"

#include <span>
#include <string_view>
#include <utility>

namespace orrery::item {
namespace {

constexpr int64_t kKilobyte = 1'024;

// All prices are in hundredths of a unit.
struct CurvePoint {
  int64_t kilobytes;
  int64_t price;
};
struct Curve {
  CurvePoint points[4];
  int64_t price_per_kilobyte_beyond;
};

constexpr Curve kReadCurve = {{{1, 100}, {4, 130}, {64, 1'000}, {100, 1'000}}, 10};
constexpr Curve kWriteCurve = {{{1, 500}, {4, 700}, {64, 4'800}, {100, 5'000}}, 50};

constexpr int64_t kIndexTerm = 35;

constexpr int64_t kQueryAlone = 120;
constexpr int64_t kQueryInFanOut = 250;
constexpr int64_t kIndexLookup = 40;
constexpr int64_t kFurtherLookup = 8;
constexpr int64_t kPassedEntry = 1;
constexpr int64_t kRecord = 75;
constexpr int64_t kScannedKilobyte = 8;
constexpr int64_t kFeedPage = 100;

constexpr int64_t CeilDivide(int64_t number, int64_t by) { return (number + by - 1) / by; }

// Straight lines between the published points.
int64_t PriceAt(const Curve& curve, uint64_t item_bytes) {
  const auto bytes = static_cast<int64_t>(item_bytes);
  const std::span<const CurvePoint> points(curve.points);
  if (bytes <= points.front().kilobytes * kKilobyte) return points.front().price;
  for (size_t i = 1; i < points.size(); ++i) {
    const CurvePoint& from = points[i - 1];
    const CurvePoint& to = points[i];
    if (bytes > to.kilobytes * kKilobyte) continue;
    return from.price + CeilDivide((bytes - from.kilobytes * kKilobyte) * (to.price - from.price),
                                   (to.kilobytes - from.kilobytes) * kKilobyte);
  }
  const int64_t beyond = bytes - points.back().kilobytes * kKilobyte;
  return points.back().price + CeilDivide(beyond * curve.price_per_kilobyte_beyond, kKilobyte);
}

RequestUnits ForRead(int64_t price, ReadPrice read) {
  return RequestUnits::FromHundredths(read == ReadPrice::kDouble ? 2 * price : price);
}

// Collects the parts of a price, in hundredths.
class Parts {
 public:
  explicit Parts(ReadPrice read = ReadPrice::kSingle) : read_(read) {}

  Parts& Add(std::string_view what, uint64_t count, int64_t price) {
    if (price != 0)
      parts_.push_back({.what = what, .count = count, .charge = ForRead(price, read_)});
    return *this;
  }
  Parts& AddScan(uint64_t records, uint64_t bytes) {
    Add("items examined", records, static_cast<int64_t>(records) * kRecord);
    return Add("bytes examined", bytes,
               CeilDivide(static_cast<int64_t>(bytes) * kScannedKilobyte, kKilobyte));
  }
  std::vector<ChargePart> Take() { return std::move(parts_); }

 private:
  const ReadPrice read_;
  std::vector<ChargePart> parts_;
};

int64_t PriceOfScan(uint64_t records, uint64_t bytes) {
  return static_cast<int64_t>(records) * kRecord +
         CeilDivide(static_cast<int64_t>(bytes) * kScannedKilobyte, kKilobyte);
}

}  // namespace

RequestUnits PriceOfPointRead(uint64_t item_bytes, ReadPrice read) {
  return ForRead(PriceAt(kReadCurve, item_bytes), read);
}

RequestUnits PriceOfWrite(const WriteWork& work) {
  if (!work.bytes_before.has_value() && !work.bytes_after.has_value()) return PriceOfPointRead(0);
  int64_t price = 0;
  for (const auto& bytes : {work.bytes_before, work.bytes_after}) {
    if (bytes.has_value()) price += PriceAt(kWriteCurve, *bytes);
  }
  const uint64_t terms = work.index_terms_added + work.index_terms_removed;
  return RequestUnits::FromHundredths(price + static_cast<int64_t>(terms) * kIndexTerm);
}

RequestUnits PriceOfRefusedWrite(uint64_t bytes_examined) {
  return PriceOfPointRead(bytes_examined);
}

RequestUnits PriceOfQuery(const QueryWork& work, ReadPrice read) {
  int64_t start = work.fan_out ? kQueryInFanOut : kQueryAlone;
  if (work.index_lookups > 0)
    start += kIndexLookup + static_cast<int64_t>(work.index_lookups - 1) * kFurtherLookup;
  return ForRead(start + static_cast<int64_t>(work.entries_passed) * kPassedEntry +
                     PriceOfScan(work.records_examined, work.bytes_examined),
                 read);
}

RequestUnits PriceOfFeedPage(uint64_t records, uint64_t bytes, ReadPrice read) {
  return ForRead(kFeedPage + PriceOfScan(records, bytes), read);
}

std::vector<ChargePart> ExplainPointRead(uint64_t item_bytes, ReadPrice read) {
  const int64_t least = PriceAt(kReadCurve, 0);
  return Parts(read)
      .Add("items read by key", 1, least)
      .Add("bytes beyond the first kilobyte", item_bytes, PriceAt(kReadCurve, item_bytes) - least)
      .Take();
}

std::vector<ChargePart> ExplainWrite(const WriteWork& work) {
  if (!work.bytes_before.has_value() && !work.bytes_after.has_value()) return ExplainPointRead(0);
  Parts parts;
  if (work.bytes_before.has_value())
    parts.Add("bytes removed", *work.bytes_before, PriceAt(kWriteCurve, *work.bytes_before));
  if (work.bytes_after.has_value())
    parts.Add("bytes written", *work.bytes_after, PriceAt(kWriteCurve, *work.bytes_after));
  return parts
      .Add("index terms added", work.index_terms_added,
           static_cast<int64_t>(work.index_terms_added) * kIndexTerm)
      .Add("index terms removed", work.index_terms_removed,
           static_cast<int64_t>(work.index_terms_removed) * kIndexTerm)
      .Take();
}

std::vector<ChargePart> ExplainQuery(const QueryWork& work, ReadPrice read) {
  Parts parts(read);
  parts.Add("query on a partition", 1, kQueryAlone);
  if (work.fan_out) parts.Add("fan-out to several partitions", 1, kQueryInFanOut - kQueryAlone);
  if (work.index_lookups > 0) {
    parts.Add("index look-ups", work.index_lookups,
              kIndexLookup + static_cast<int64_t>(work.index_lookups - 1) * kFurtherLookup);
  }
  return parts
      .Add("index entries passed", work.entries_passed,
           static_cast<int64_t>(work.entries_passed) * kPassedEntry)
      .AddScan(work.records_examined, work.bytes_examined)
      .Take();
}

std::vector<ChargePart> ExplainFeedPage(uint64_t records, uint64_t bytes, ReadPrice read) {
  return Parts(read).Add("page of the feed", 1, kFeedPage).AddScan(records, bytes).Take();
}

}  // namespace orrery::item
