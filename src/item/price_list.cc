#include "item/price_list.h"

#include <span>

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

}  // namespace orrery::item
