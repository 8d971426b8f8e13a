// Any bytes may stand in a MANIFEST.
#include <cstddef>
#include <cstdint>

#include "storage/log/manifest_edit.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static_cast<void>(orrery::storage::FirstLogNeeded({reinterpret_cast<const char*>(data), size}));
  return 0;
}
