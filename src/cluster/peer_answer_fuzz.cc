// Answers of other nodes about their partitions and clocks: any bytes must give an answer or an
// error.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/check.h"
#include "cluster/member/clock_watch.h"
#include "cluster/node_service.h"
#include "cluster/partition_statistics.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace orrery;
  using namespace orrery::cluster;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  if (const auto statistics = DecodeStatistics(bytes); statistics.has_value()) {
    for (const PartitionStatistics& each : *statistics) {
      ORRERY_CHECK(each.request_units_per_second >= 0 && each.granted >= 0);
    }
    ORRERY_CHECK(DecodeStatistics(EncodeStatistics(*statistics)).has_value());
  }
  if (const auto split = DecodeSplitResult(bytes); split.has_value())
    ORRERY_CHECK(split->pause >= Micros(0));
  (void)DecodeMergeResult(bytes);
  if (const auto times = DecodeTimes(bytes); times.has_value())
    ORRERY_CHECK(DecodeTimes(EncodeTimes(*times)) == *times);
  return 0;
}
