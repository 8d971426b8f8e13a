// Proves that a node knows its cluster's secret without sending it.
//
// A proof is an HMAC-SHA-256, keyed by the secret, over all that the handshake is about: version,
// cluster, both nodes, a nonce of each, which of the two proves, and the certificate that the
// callee's side of the TLS session presented. A node in the middle has to present a certificate of
// its own, so the proofs it could pass on are not those that the other end expects.
//
// Pure functions but for MakeNonce. Thread-safe.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/ids.h"
#include "base/status.h"
#include "net/rpc/handshake/handshake_message.h"

struct x509_st;  // OpenSSL's X509

namespace orrery::net {

enum class RpcRole : uint8_t { kCaller = 1, kCallee = 2 };

// All of one handshake that both ends must agree on.
struct RpcTranscript {
  Hello hello{};
  Nonce callee_nonce{};
  std::string callee_certificate;  // CertificateFingerprint
};

Mac ProveSecret(std::string_view secret, RpcRole role, const RpcTranscript& transcript);
// Returns whether `mac` is the one that ProveSecret makes, in constant time.
bool SecretIsProved(std::string_view secret, RpcRole role, const RpcTranscript& transcript,
                    const Mac& mac);

// Random bytes that nobody can foresee.
Nonce MakeNonce();
// SHA-256 of the certificate. kInternal: there is none.
Result<std::string> CertificateFingerprint(const x509_st* certificate);

}  // namespace orrery::net
