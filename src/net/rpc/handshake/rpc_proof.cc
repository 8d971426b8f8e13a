#include "net/rpc/handshake/rpc_proof.h"

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/rand.h>
#include <openssl/x509.h>

#include <utility>

#include "base/bytes.h"
#include "base/check.h"

namespace orrery::net {
namespace {

constexpr std::string_view kPurpose = "orrery rpc handshake";

std::string Covered(RpcRole role, const RpcTranscript& transcript) {
  std::string covered(kPurpose);
  AppendBigEndian(covered, std::to_underlying(role));
  AppendLengthPrefixed(covered, EncodeHandshake(transcript.hello));
  AppendLengthPrefixed(covered, EncodeHandshake(Challenge{transcript.callee_nonce}));
  AppendLengthPrefixed(covered, transcript.callee_certificate);
  return covered;
}

}  // namespace

Mac ProveSecret(std::string_view secret, RpcRole role, const RpcTranscript& transcript) {
  const std::string covered = Covered(role, transcript);
  Mac mac;
  unsigned int size = 0;
  const unsigned char* made =
      HMAC(EVP_sha256(), secret.data(), static_cast<int>(secret.size()),
           reinterpret_cast<const unsigned char*>(covered.data()), covered.size(),
           reinterpret_cast<unsigned char*>(mac.data()), &size);
  ORRERY_CHECK(made != nullptr && size == mac.size());
  return mac;
}

bool SecretIsProved(std::string_view secret, RpcRole role, const RpcTranscript& transcript,
                    const Mac& mac) {
  const Mac expected = ProveSecret(secret, role, transcript);
  return CRYPTO_memcmp(expected.data(), mac.data(), mac.size()) == 0;
}

Nonce MakeNonce() {
  Nonce nonce;
  ORRERY_CHECK(RAND_bytes(reinterpret_cast<unsigned char*>(nonce.data()),
                          static_cast<int>(nonce.size())) == 1);
  return nonce;
}

Result<std::string> CertificateFingerprint(const x509_st* certificate) {
  std::string digest(EVP_MAX_MD_SIZE, '\0');
  unsigned int size = 0;
  if (certificate == nullptr ||
      X509_digest(certificate, EVP_sha256(), reinterpret_cast<unsigned char*>(digest.data()),
                  &size) != 1) {
    return Fail(Code::kInternal, "there is no TLS certificate to take a fingerprint of");
  }
  digest.resize(size);
  return digest;
}

}  // namespace orrery::net
