// Any bytes are refused or decoded within their bounds; a decoded row survives a round trip, and a
// merge with itself changes nothing but counters.
#include <cstdint>
#include <string>

#include "base/check.h"
#include "model/row/row_codec.h"
#include "model/row/row_merge.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace orrery::model;
  Row row;
  if (!DecodeRow({reinterpret_cast<const char*>(data), size}, row).has_value()) return 0;
  std::string encoded;
  EncodeRow(encoded, row);
  Row again;
  ORRERY_CHECK(DecodeRow(encoded, again).has_value());
  ORRERY_CHECK(again == row);
  RowMerger merger;
  merger.Add(row);
  merger.Add(again);
  Row forgetful = row;
  (void)ForgetCells(forgetful, 1'000);
  (void)ForgetDeletions(forgetful, 1'000);
  EncodeRow(encoded, forgetful);
  (void)Purge(row, {.timestamp = 5, .local_s = 1}, 1'000);
  return 0;
}
