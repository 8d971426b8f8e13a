// Answers of Ceph's monitors, and names of objects that others may have put into the pool: any
// bytes must give facts or an error, and names that are ours or not.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/check.h"
#include "storage/rados/file/file_id.h"
#include "storage/rados/object/cluster_facts.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace orrery::storage::rados;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  (void)ParsePoolFacts(bytes);
  (void)ParseClusterFacts(bytes);
  (void)ParseCopies(bytes);
  (void)ParseFreeBytes(bytes, "orrery");
  if (const auto directory = ParseDirectoryObject(bytes); directory.has_value())
    ORRERY_CHECK(DirectoryObject(*directory) == bytes);
  if (const auto stripe = ParseStripeObject(bytes); stripe.has_value())
    ORRERY_CHECK(StripeObject(stripe->first, stripe->second) == bytes);
  return 0;
}
