// A blocking caller that proves itself and then sends what a test wants, however malformed.
#pragma once

#include <optional>
#include <string>

#include "net/rpc/frame/rpc_frame.h"
#include "net/rpc/handshake/handshake_message.h"
#include "net/rpc/handshake/rpc_identity.h"
#include "net/rpc/handshake/rpc_proof.h"
#include "net/tls_socket_for_test.h"

namespace orrery::net {

class RpcPuppet {
 public:
  explicit RpcPuppet(uint16_t port) : socket_(port) {}

  TlsSocket& socket() { return socket_; }

  // Returns whether the callee has proved itself, too. `certificate` is the fingerprint of its
  // certificate.
  bool ShakeHands(const RpcIdentity& self, NodeId callee, std::string certificate) {
    RpcTranscript transcript;
    transcript.hello = {self.version, self.node, callee, MakeNonce(), self.cluster};
    transcript.callee_certificate = std::move(certificate);
    if (!socket_.connected() || !Say(transcript.hello)) return false;
    const auto challenge = Hear<Challenge>();
    if (!challenge) return false;
    transcript.callee_nonce = challenge->nonce;
    if (!Say(Proof{ProveSecret(self.secret, RpcRole::kCaller, transcript)})) return false;
    const auto proof = Hear<Proof>();
    return proof && SecretIsProved(self.secret, RpcRole::kCallee, transcript, proof->mac);
  }

  bool Send(const RpcFrame& frame) { return socket_.Send(EncodeRpcHeader(frame) + frame.payload); }
  // The next frame that is no ping; nothing when the callee has closed.
  std::optional<RpcFrame> Read() {
    while (true) {
      while (!input_.empty()) {
        std::string_view input = input_;
        auto frame = decoder_.Take(input);
        input_.erase(0, input_.size() - input.size());
        if (!frame) return std::nullopt;
        if (*frame && (*frame)->kind != RpcFrameKind::kPing) return std::move(**frame);
      }
      input_ = socket_.ReadSome();
      if (input_.empty()) return std::nullopt;
    }
  }

 private:
  bool Say(const HandshakeMessage& message) { return socket_.Send(EncodeHandshake(message)); }

  // Both messages that a callee sends have the same size.
  template <typename Message>
  std::optional<Message> Hear() {
    const size_t size = EncodeHandshake(Message()).size();
    const std::string bytes = socket_.ReadExactly(size);
    if (bytes.size() != size) return std::nullopt;
    const auto message = DecodeHandshake(bytes.substr(kHandshakeSizeBytes), kRpcVersion);
    if (!message || !std::holds_alternative<Message>(*message)) return std::nullopt;
    return std::get<Message>(*message);
  }

  TlsSocket socket_;
  RpcFrameDecoder decoder_;
  std::string input_;
};

}  // namespace orrery::net
