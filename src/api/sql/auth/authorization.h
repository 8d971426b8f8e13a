// The `authorization` header of the SQL API, and whether a request's signature is right.
//
//   header := percent-encoded( "type=" type "&ver=" version "&sig=" signature )
//   text   := verb "\n" type "\n" link "\n" x-ms-date "\n" date "\n"     in small letters but link
//   signature of type master := base64( HMAC-SHA256( account key, text ) )
//
// Pure functions; the account's keys come in.
#pragma once

#include <string>
#include <string_view>

#include "api/sql/resource/resource_path.h"
#include "base/clock.h"
#include "base/status.h"
#include "gateway/account/accounts.h"

namespace orrery::sql {

// The maximal distance between the date of a signed request and the server's time.
inline constexpr Micros kSignatureSkewMax{std::chrono::minutes(15)};

enum class TokenType { kMaster, kResource, kEntra };

struct Authorization {
  TokenType type = TokenType::kMaster;
  std::string signature;  // for a resource token all that follows "sig="

  friend bool operator==(const Authorization&, const Authorization&) = default;
};
// kUnauthorized for anything else, with what clients are to do.
Result<Authorization> ParseAuthorization(std::string_view header);

// The parts of a request that are signed.
struct SignedRequest {
  std::string_view verb;
  const ResourcePath& path;
  std::string_view ms_date;  // the header x-ms-date; empty when there is none
  std::string_view date;     // the header date, used when there is no x-ms-date
};
// The text for a request whose path has names, or resource ids.
std::string TextToSign(const SignedRequest& request, bool by_rid);

// Returns the access of the key that the request is signed with. A path may be of names or of
// resource ids, so both texts are tried. kUnauthorized for a wrong signature, kForbidden for one
// whose date is not near `now`.
Result<gateway::Access> CheckSignature(const gateway::Accounts& accounts,
                                       const Authorization& authorization,
                                       const SignedRequest& request, Micros now);

}  // namespace orrery::sql
