// Any document as stored roles: nothing crashes, and what can be read is written as the same roles.
#include <cstdint>
#include <string>

#include "api/cassandra/access/role_codec.h"
#include "base/check.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace orrery::cassandra;
  const auto document =
      orrery::model::Document::FromBson(std::string(reinterpret_cast<const char*>(data), size));
  if (!document.has_value()) return 0;
  const auto roles = DecodeRoles(*document);
  if (!roles.has_value()) return 0;
  const auto again = DecodeRoles(EncodeRoles(*roles));
  ORRERY_CHECK(again.has_value() && *again == *roles);
  // However they are members of each other, nothing goes round forever.
  for (const auto& [name, role] : roles->all()) ORRERY_CHECK(!roles->RolesOf(name).empty());
  return 0;
}
