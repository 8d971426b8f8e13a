// Bytes of a stranger: all that is read of it before it has proved anything.
#include <cstdint>
#include <string_view>

#include "base/check.h"
#include "net/rpc/handshake/handshake_message.h"
#include "net/rpc/handshake/rpc_identity.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  namespace net = orrery::net;
  std::string_view bytes(reinterpret_cast<const char*>(data), size);
  if (size < net::kHandshakeSizeBytes) return 0;
  const auto length = net::DecodeHandshakeSize(bytes.substr(0, net::kHandshakeSizeBytes));
  if (!length) return 0;
  ORRERY_CHECK(*length <= net::kHandshakeMessageBytesMax);
  bytes = bytes.substr(net::kHandshakeSizeBytes, *length);
  const auto message = net::DecodeHandshake(bytes, net::kRpcVersion);
  if (!message) return 0;
  const std::string encoded = EncodeHandshake(*message);
  const auto again = net::DecodeHandshake(
      std::string_view(encoded).substr(net::kHandshakeSizeBytes), net::kRpcVersion);
  ORRERY_CHECK(again.has_value() && *again == *message);
  return 0;
}
