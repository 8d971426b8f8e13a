#include "net/rpc/handshake/rpc_handshake.h"

#include <fmt/format.h>

#include <array>
#include <optional>
#include <span>
#include <utility>
#include <variant>

#include "net/rpc/handshake/handshake_message.h"
#include "net/rpc/handshake/rpc_proof.h"

namespace orrery::net {
namespace {

template <typename T>
using Awaitable = ByteChannel::Awaitable<T>;

// All of `space`, and not a byte more: frames may stand behind.
Awaitable<Status> ReadExactly(ByteChannel& channel, std::span<char> space) {
  while (!space.empty()) {
    const Result<size_t> size = co_await channel.ReadSome(space);
    if (!size) co_return Fail(size.error());
    if (*size == 0)
      co_return Fail(Code::kUnavailable, "the peer closed the connection in the handshake");
    space = space.subspan(*size);
  }
  co_return Status();
}

Awaitable<Result<HandshakeMessage>> Hear(ByteChannel& channel, uint16_t version) {
  std::array<char, kHandshakeMessageBytesMax> space;
  const std::span<char> front = std::span(space).first(kHandshakeSizeBytes);
  if (const Status read = co_await ReadExactly(channel, front); !read) co_return Fail(read.error());
  const Result<size_t> size = DecodeHandshakeSize({front.data(), front.size()});
  if (!size) co_return Fail(size.error());
  const std::span<char> rest = std::span(space).first(*size);
  if (const Status read = co_await ReadExactly(channel, rest); !read) co_return Fail(read.error());
  co_return DecodeHandshake({rest.data(), rest.size()}, version);
}

// The message if it is the one that comes now.
template <typename Expected>
Awaitable<Result<Expected>> HearA(ByteChannel& channel, uint16_t version) {
  Result<HandshakeMessage> message = co_await Hear(channel, version);
  if (!message) co_return Fail(message.error());
  if (auto* expected = std::get_if<Expected>(&*message)) co_return std::move(*expected);
  if (const auto* rejection = std::get_if<Rejection>(&*message))
    co_return Fail(Code::kForbidden, fmt::format("{}: {}", kRefusedByPeer, rejection->reason));
  co_return Fail(Code::kInvalidArgument, "the peer sent a message of the handshake out of turn");
}

Awaitable<Status> Say(ByteChannel& channel, HandshakeMessage message) {
  const std::string bytes = EncodeHandshake(message);
  co_return co_await channel.Write(bytes);
}

// Tells the caller, and returns what to tell the log.
Awaitable<Error> Refuse(ByteChannel& channel, Code code, std::string reason) {
  const Status said = co_await Say(channel, Rejection{reason});
  if (!said) co_return said.error();
  co_return Error(code, std::move(reason));
}

std::optional<std::string> WhyNot(const Hello& hello, const RpcIdentity& self) {
  if (hello.version != self.version) {
    return fmt::format("this node speaks version {} of the protocol, the caller version {}",
                       self.version, hello.version);
  }
  if (hello.cluster != self.cluster)
    return fmt::format("this node is of another cluster than '{}'", hello.cluster);
  if (hello.callee != self.node) {
    // A stranger is not told which node this is.
    return fmt::format("this is another node: {} {}", kAnotherIsHere, hello.callee.value());
  }
  return std::nullopt;
}

}  // namespace

Awaitable<Status> IntroduceTo(ByteChannel& channel, const RpcIdentity& self, NodeId callee,
                              const std::string& callee_certificate) {
  RpcTranscript transcript{
      .hello = {self.version, self.node, callee, MakeNonce(), self.cluster},
      .callee_certificate = callee_certificate,
  };
  if (const Status said = co_await Say(channel, transcript.hello); !said) co_return said;
  const auto challenge = co_await HearA<Challenge>(channel, self.version);
  if (!challenge) co_return Fail(challenge.error());
  transcript.callee_nonce = challenge->nonce;

  const Proof own{ProveSecret(self.secret, RpcRole::kCaller, transcript)};
  if (const Status said = co_await Say(channel, own); !said) co_return said;
  const auto proof = co_await HearA<Proof>(channel, self.version);
  if (!proof) co_return Fail(proof.error());
  if (!SecretIsProved(self.secret, RpcRole::kCallee, transcript, proof->mac))
    co_return Fail(Code::kUnauthorized, "the peer does not know this cluster's secret");
  co_return Status();
}

Awaitable<Result<NodeId>> Recognize(ByteChannel& channel, const RpcIdentity& self,
                                    const std::string& own_certificate) {
  RpcTranscript transcript{.callee_nonce = MakeNonce(), .callee_certificate = own_certificate};
  auto hello = co_await HearA<Hello>(channel, self.version);
  if (!hello) co_return Fail(hello.error());
  if (auto why = WhyNot(*hello, self))
    co_return Fail(co_await Refuse(channel, Code::kForbidden, std::move(*why)));
  transcript.hello = std::move(*hello);

  const Challenge challenge{transcript.callee_nonce};
  if (const Status said = co_await Say(channel, challenge); !said) co_return Fail(said.error());
  const auto proof = co_await HearA<Proof>(channel, self.version);
  if (!proof) co_return Fail(proof.error());
  if (!SecretIsProved(self.secret, RpcRole::kCaller, transcript, proof->mac)) {
    co_return Fail(co_await Refuse(channel, Code::kUnauthorized,
                                   "the caller does not know this cluster's secret"));
  }
  const Proof own{ProveSecret(self.secret, RpcRole::kCallee, transcript)};
  if (const Status said = co_await Say(channel, own); !said) co_return Fail(said.error());
  co_return transcript.hello.caller;
}

}  // namespace orrery::net
