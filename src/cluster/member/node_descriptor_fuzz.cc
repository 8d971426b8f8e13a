// Descriptors of nodes stand in an object that every process of the pool may write: any bytes must
// give a descriptor or an error, and a descriptor must survive being written again.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/check.h"
#include "cluster/member/node_descriptor.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace orrery::cluster;
  const auto descriptor = DecodeNodeDescriptor({reinterpret_cast<const char*>(data), size});
  if (!descriptor.has_value()) return 0;
  const auto again = DecodeNodeDescriptor(EncodeNodeDescriptor(*descriptor));
  ORRERY_CHECK(again.has_value() && *again == *descriptor);
  return 0;
}
