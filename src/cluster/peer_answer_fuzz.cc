// What another node answers about its partitions and its clock: any bytes must give an answer or an
// error.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/check.h"
#include "cluster/member/clock_watch.h"
#include "cluster/node_service.h"
#include "cluster/partition_figures.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace orrery;
  using namespace orrery::cluster;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  if (const auto figures = DecodeFigures(bytes); figures.has_value()) {
    for (const PartitionFigures& each : *figures) {
      ORRERY_CHECK(each.request_units_per_second >= 0 && each.granted >= 0);
    }
    ORRERY_CHECK(DecodeFigures(EncodeFigures(*figures)).has_value());
  }
  if (const auto split = DecodeSplitResult(bytes); split.has_value())
    ORRERY_CHECK(split->pause >= Micros(0));
  (void)DecodeMergeResult(bytes);
  if (const auto times = DecodeTimes(bytes); times.has_value())
    ORRERY_CHECK(DecodeTimes(EncodeTimes(*times)) == *times);
  return 0;
}
