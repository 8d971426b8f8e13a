// The negotiation before the first statement: options, versions, compression, and the credentials
// that SASL PLAIN carries. Pure functions; the session holds the state.
//
//   token := [authorization id] 00 user 00 password        ; RFC 4616
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "api/cassandra/protocol/cql_result.h"
#include "api/cassandra/protocol/frame/compression.h"
#include "api/cassandra/protocol/protocol_version.h"
#include "api/cassandra/protocol/request/request.h"

namespace orrery::cassandra {

inline constexpr std::string_view kCqlVersion = "3.4.6";
// Named in AUTHENTICATE: drivers choose by this name to answer with SASL PLAIN.
inline constexpr std::string_view kAuthenticatorName =
    "org.apache.cassandra.auth.PasswordAuthenticator";

// The body of SUPPORTED.
const StringMultimap& SupportedOptions();

// The compression that a connection which starts so uses; refused with Cassandra's message when the
// version of CQL is too old or the compression unknown (v5 has lz4 only).
CqlResult<Compression> AgreeOnStartup(const StartupRequest& startup, ProtocolVersion version);

struct PlainCredentials {
  std::string user;
  std::string password;
};
// ERROR 0100 for a token of another form.
CqlResult<PlainCredentials> DecodePlain(const std::optional<std::string_view>& token);

}  // namespace orrery::cassandra
