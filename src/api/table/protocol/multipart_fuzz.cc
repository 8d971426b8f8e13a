// Bodies of batches, XML and continuation tokens from clients: whatever the bytes, an answer.
#include <cstdint>
#include <string_view>

#include "api/table/protocol/continuation.h"
#include "api/table/protocol/multipart.h"
#include "api/table/protocol/xml.h"
#include "base/check.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace orrery::table;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  (void)ReadMultipart("multipart/mixed; boundary=b", text);
  if (const auto element = ReadXml(text)) ORRERY_CHECK(ReadXml(XmlText(*element)).has_value());
  if (const auto token = DecodeToken(text))
    ORRERY_CHECK(DecodeToken(EncodeToken(*token)).has_value());
  return 0;
}
