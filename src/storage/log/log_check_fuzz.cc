// Any bytes may stand in a log file: LogCheck must read them without fault.
#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "storage/log/log_check.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  std::string_view log(reinterpret_cast<const char*>(data), size);
  orrery::storage::LogCheck check;
  while (!log.empty()) {
    const size_t part = std::min(log.size(), orrery::storage::LogCheck::kBlockBytes);
    check.Feed(log.substr(0, part));
    log.remove_prefix(part);
  }
  if (check.damage().has_value() && *check.damage() >= size) __builtin_trap();
  return 0;
}
