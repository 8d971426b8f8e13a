// Makes and inspects the certificate that a server without one of its own presents.
//
// Keys are EC P-256. The certificate is an end entity's, not an authority's: clients trust it by
// itself, and who steals its key can impersonate this server and no other.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/status.h"

namespace orrery::net {

struct PemPair {
  std::string certificate;
  std::string private_key;
};

// `names` are DNS names ("localhost", "*.localhost") or IP addresses, as a client would type them.
// Valid from a day before `now` (clocks differ) until `lifetime` after it.
// kInvalidArgument names the name that is neither.
Result<PemPair> MakeSelfSignedCertificate(const std::vector<std::string>& names, Micros now,
                                          std::chrono::days lifetime);

// Returns whether the PEM certificate is valid now, stays so for `margin`, and carries every one of
// `names`. Returns false for malformed text, too.
bool CertificateServes(std::string_view certificate_pem, const std::vector<std::string>& names,
                       Micros now, std::chrono::days margin);

// Why OpenSSL's last call on this thread failed; clears its error queue.
std::string TakeOpenSslError();

}  // namespace orrery::net
