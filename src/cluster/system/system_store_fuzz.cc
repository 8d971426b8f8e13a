// Changes and copies of the system store come from other nodes: any bytes must give one or an
// error, and what was read must survive being written again.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/check.h"
#include "cluster/system/system_change.h"
#include "cluster/system/system_copy.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace orrery::cluster;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  SystemCopy copy;
  if (auto read = SystemCopy::Decode(bytes); read.has_value()) {
    copy = *std::move(read);
    const auto again = SystemCopy::Decode(copy.Encode());
    ORRERY_CHECK(again.has_value() && again->version() == copy.version() &&
                 again->entries() == copy.entries());
  }
  if (const auto change = SystemChange::Decode(bytes); change.has_value()) {
    const auto again = SystemChange::Decode(change->Encode());
    ORRERY_CHECK(again.has_value() && *again == *change);
    const SystemVersion next{.term = copy.version().term, .commits = copy.version().commits + 1};
    copy.Apply(*change, next);
    ORRERY_CHECK(copy.version() == next);
  }
  return 0;
}
