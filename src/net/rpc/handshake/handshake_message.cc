#include "net/rpc/handshake/handshake_message.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "base/bytes.h"
#include "base/check.h"
#include "base/overload.h"
#include "net/rpc/handshake/rpc_identity.h"

namespace orrery::net {
namespace {

constexpr std::string_view kMagic = "orrery-rpc";
constexpr size_t kReasonBytesMax = 400;

enum class Kind : uint8_t { kHello = 1, kChallenge = 2, kProof = 3, kRejection = 4 };

std::unexpected<Error> Malformed(std::string_view what) {
  return Fail(Code::kInvalidArgument, fmt::format("the peer sent {}", what));
}

template <size_t kSize>
bool ReadArray(ByteReader& reader, std::array<char, kSize>& array) {
  std::string_view bytes;
  if (!reader.ReadBytes(kSize, bytes)) return false;
  std::ranges::copy(bytes, array.begin());
  return true;
}

template <size_t kSize>
std::string_view View(const std::array<char, kSize>& array) {
  return {array.data(), array.size()};
}

std::string Body(const Hello& hello) {
  ORRERY_CHECK(hello.cluster.size() <= kClusterNameBytesMax);
  std::string body(kMagic);
  AppendBigEndian(body, hello.version);
  AppendBigEndian(body, hello.caller.value());
  AppendBigEndian(body, hello.callee.value());
  body += View(hello.nonce);
  return body += hello.cluster;
}

Result<HandshakeMessage> ReadHello(ByteReader reader, uint16_t version) {
  std::string_view magic;
  Hello hello;
  if (!reader.ReadBytes(kMagic.size(), magic) || magic != kMagic ||
      !reader.ReadBigEndian(hello.version)) {
    return Malformed("something that is no hello of a node");
  }
  if (hello.version != version) return hello;
  uint64_t caller = 0;
  uint64_t callee = 0;
  if (!reader.ReadBigEndian(caller) || !reader.ReadBigEndian(callee) ||
      !ReadArray(reader, hello.nonce) || reader.rest().size() > kClusterNameBytesMax) {
    return Malformed("a hello that cannot be read");
  }
  hello.caller = NodeId(caller);
  hello.callee = NodeId(callee);
  hello.cluster = reader.rest();
  return hello;
}

// It comes from a stranger and goes to logs.
std::string Printable(std::string_view text) {
  std::string printable(text.substr(0, kReasonBytesMax));
  std::ranges::replace_if(printable, [](char c) { return c < ' ' || c > '~'; }, '?');
  return printable;
}

}  // namespace

std::string EncodeHandshake(const HandshakeMessage& message) {
  std::string bytes;
  const auto fill = [&bytes](Kind kind, std::string_view body) {
    AppendBigEndian(bytes, static_cast<uint16_t>(1 + body.size()));
    AppendBigEndian(bytes, std::to_underlying(kind));
    bytes += body;
  };
  std::visit(
      Overload{
          [&](const Hello& hello) { fill(Kind::kHello, Body(hello)); },
          [&](const Challenge& challenge) { fill(Kind::kChallenge, View(challenge.nonce)); },
          [&](const Proof& proof) { fill(Kind::kProof, View(proof.mac)); },
          [&](const Rejection& rejection) { fill(Kind::kRejection, Printable(rejection.reason)); },
      },
      message);
  ORRERY_CHECK(bytes.size() <= kHandshakeSizeBytes + kHandshakeMessageBytesMax);
  return bytes;
}

Result<size_t> DecodeHandshakeSize(std::string_view bytes) {
  ByteReader reader(bytes);
  uint16_t size = 0;
  if (!reader.ReadBigEndian(size) || size == 0 || size > kHandshakeMessageBytesMax)
    return Malformed("something that is no handshake of a node");
  return size;
}

Result<HandshakeMessage> DecodeHandshake(std::string_view bytes, uint16_t version) {
  ByteReader reader(bytes);
  uint8_t kind = 0;
  if (!reader.ReadBigEndian(kind)) return Malformed("an empty message");
  switch (static_cast<Kind>(kind)) {
    case Kind::kHello:
      return ReadHello(reader, version);
    case Kind::kChallenge:
      if (Challenge challenge; ReadArray(reader, challenge.nonce) && reader.empty())
        return challenge;
      return Malformed("a challenge that cannot be read");
    case Kind::kProof:
      if (Proof proof; ReadArray(reader, proof.mac) && reader.empty()) return proof;
      return Malformed("a proof that cannot be read");
    case Kind::kRejection:
      return Rejection{Printable(reader.rest())};
  }
  return Malformed("something that is no handshake of a node");
}

}  // namespace orrery::net
