// Key lists of any content: keys or an error that names the line.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "cluster/simulation/key_list.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  (void)orrery::cluster::ParseKeyList({reinterpret_cast<const char*>(data), size});
  return 0;
}
