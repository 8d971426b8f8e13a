#include "net/rpc/handshake/rpc_proof.h"

#include <gtest/gtest.h>

#include <functional>

namespace orrery::net {
namespace {

RpcTranscript SomeTranscript() {
  RpcTranscript transcript;
  transcript.hello = {.version = 1, .caller = NodeId(1), .callee = NodeId(2), .cluster = "c"};
  transcript.callee_certificate = "fingerprint";
  return transcript;
}

TEST(RpcProofTest, HoldsForWhatItWasMadeOf) {
  const RpcTranscript transcript = SomeTranscript();
  const Mac mac = ProveSecret("secret", RpcRole::kCaller, transcript);
  EXPECT_TRUE(SecretIsProved("secret", RpcRole::kCaller, transcript, mac));
  EXPECT_FALSE(SecretIsProved("another", RpcRole::kCaller, transcript, mac));
  EXPECT_FALSE(SecretIsProved("secret", RpcRole::kCallee, transcript, mac))
      << "the peer's own proof must not be good enough when sent back";
}

TEST(RpcProofTest, CoversEverything) {
  const Mac mac = ProveSecret("secret", RpcRole::kCaller, SomeTranscript());
  const std::function<void(RpcTranscript&)> changes[] = {
      [](RpcTranscript& t) { t.hello.version = 2; },
      [](RpcTranscript& t) { t.hello.caller = NodeId(3); },
      [](RpcTranscript& t) { t.hello.callee = NodeId(3); },
      [](RpcTranscript& t) { t.hello.nonce[31] = 'x'; },
      [](RpcTranscript& t) { t.hello.cluster = "d"; },
      [](RpcTranscript& t) { t.callee_nonce[0] = 'x'; },
      [](RpcTranscript& t) { t.callee_certificate = "another"; },
  };
  for (const auto& change : changes) {
    RpcTranscript changed = SomeTranscript();
    change(changed);
    EXPECT_FALSE(SecretIsProved("secret", RpcRole::kCaller, changed, mac));
  }
}

TEST(RpcProofTest, NoncesDiffer) { EXPECT_NE(MakeNonce(), MakeNonce()); }

TEST(RpcProofTest, NoCertificateHasNoFingerprint) {
  EXPECT_FALSE(CertificateFingerprint(nullptr).has_value());
}

}  // namespace
}  // namespace orrery::net
