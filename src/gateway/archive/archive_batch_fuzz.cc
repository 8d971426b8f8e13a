// Batches come from archives, which anybody may have changed, and over the network: any bytes must
// give a batch or an error, and a batch must survive being written again and have a digest.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "gateway/archive/archive_batch.h"
#include "gateway/archive/archive_digest.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace orrery;
  const auto batch = gateway::DecodeBatch({reinterpret_cast<const char*>(data), size});
  if (!batch.has_value()) return 0;
  const auto again = gateway::DecodeBatch(gateway::EncodeBatch(*batch));
  if (!again.has_value() || *again != *batch) std::abort();
  if (gateway::DigestOf(*batch).items != gateway::SizeOf(*batch)) std::abort();
  return 0;
}
