// Tokens from clients: whatever the bytes, an answer; and what is read is written the same again.
#include <cstdint>
#include <string_view>

#include "api/sql/query/position/query_token.h"
#include "api/sql/query/source/scan_position.h"
#include "base/bytes.h"
#include "base/check.h"
#include "base/murmur3.h"
#include "gateway/account/base64.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace orrery;
  using namespace orrery::sql;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  (void)DecodeQueryToken(text, 0);
  // With a right check, so that what is behind it is reached.
  std::string body(text);
  AppendBigEndian(body, Murmur3Short(text));
  const uint64_t query = text.size() < 9 ? 0 : LoadBigEndian<uint64_t>(text.data() + 1);
  if (const auto token = DecodeQueryToken(gateway::ToBase64Url(body), query)) {
    const auto again = DecodeQueryToken(EncodeQueryToken(*token), query);
    ORRERY_CHECK(again.has_value());
  }
  if (const auto position = DecodePosition(text))
    ORRERY_CHECK(DecodePosition(EncodePosition(*position)).has_value());
  return 0;
}
