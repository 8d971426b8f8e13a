// The Authorization header of the Table service, and the text that its signature is of.
//
//   header        := ("SharedKey" | "SharedKeyLite") " " account ":" base64(HMAC-SHA256)
//                  | "Bearer " key                                       for Orrery's own tools
//   SharedKey     := verb "\n" Content-MD5 "\n" Content-Type "\n" date "\n" resource
//   SharedKeyLite := date "\n" resource
//   resource      := "/" account path ["?comp=" value]                   the path as it was sent
//   date          := x-ms-date, or Date without one
//
// Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "net/http/http_message.h"

namespace orrery::table {

// The most that the date of a signed request may be old, or ahead.
inline constexpr Micros kSignatureSkewMax{std::chrono::minutes(15)};

struct Authorization {
  enum class Scheme : uint8_t { kSharedKey, kSharedKeyLite, kBearer };
  Scheme scheme = Scheme::kSharedKey;
  std::string account{};    // not of a bearer
  std::string signature{};  // or the key itself
};

// nullopt for anything else.
std::optional<Authorization> ParseAuthorization(std::string_view header);

// The header's date; nullopt if there is none or it is malformed.
std::optional<Micros> SignedDate(const net::HttpRequest& request);

// REQUIRES: not a bearer. `path`: as it was sent.
std::string TextToSign(const Authorization& authorization, const net::HttpRequest& request,
                       std::string_view path);

}  // namespace orrery::table
