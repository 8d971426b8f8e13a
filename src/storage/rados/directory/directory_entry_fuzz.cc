// Any bytes may stand in a directory object: decoding must not fault, and what decodes must encode
// to the same bytes' meaning.
#include <cstddef>
#include <cstdint>

#include "base/bytes.h"
#include "base/crc32c.h"
#include "storage/rados/directory/directory_entry.h"

namespace {

using namespace orrery;                  // NOLINT(google-build-using-namespace)
using namespace orrery::storage::rados;  // NOLINT(google-build-using-namespace)

void CheckRoundTrip(std::string_view bytes) {
  const Result<Entry> entry = DecodeEntry(bytes, "object", "name");
  if (!entry.has_value()) return;
  const Result<Entry> again = DecodeEntry(EncodeEntry(*entry), "object", "name");
  if (!again.has_value() || *again != *entry) __builtin_trap();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  CheckRoundTrip(bytes);
  // With a fitting checksum, which chance would never find.
  std::string sealed(bytes);
  AppendBigEndian(sealed, Crc32c(0, sealed));
  CheckRoundTrip(sealed);
  if (const auto links = DecodeLinks(bytes, "object");
      links.has_value() && EncodeLinks(*links) != bytes)
    __builtin_trap();
  return 0;
}
