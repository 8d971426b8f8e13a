// Tokens from clients: whatever the bytes, an answer; and what is read is written the same again.
#include <cstdint>
#include <string_view>

#include "base/bytes.h"
#include "base/check.h"
#include "base/murmur3.h"
#include "gateway/account/base64.h"
#include "query/position/query_token.h"
#include "query/source/scan_position.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace orrery;
  using namespace orrery::query;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  (void)DecodeQueryToken(text, Api::kSql, 0);
  // With a right check, so that what is behind it is reached.
  std::string body(text);
  AppendBigEndian(body, Murmur3Short(text));
  // The first version has no API.
  for (const size_t at : {1, 2}) {
    const uint64_t query = text.size() < 10 ? 0 : LoadBigEndian<uint64_t>(text.data() + at);
    if (const auto token = DecodeQueryToken(gateway::ToBase64Url(body), Api::kSql, query)) {
      const auto again = DecodeQueryToken(EncodeQueryToken(*token), Api::kSql, query);
      ORRERY_CHECK(again.has_value());
    }
  }
  if (const auto position = DecodePosition(text))
    ORRERY_CHECK(DecodePosition(EncodePosition(*position)).has_value());
  return 0;
}
