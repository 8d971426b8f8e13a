// Bytes of a peer after the handshake. Besides not crashing, the decoder must read the same frames
// however the bytes are cut, and frames must encode to what they were read from.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/check.h"
#include "net/rpc/frame/rpc_error.h"
#include "net/rpc/frame/rpc_frame.h"

namespace {

using orrery::net::RpcFrame;

std::vector<RpcFrame> Decode(std::string_view bytes, size_t piece) {
  orrery::net::RpcFrameDecoder decoder;
  std::vector<RpcFrame> frames;
  while (!bytes.empty()) {
    std::string_view input = bytes.substr(0, piece);
    bytes.remove_prefix(input.size());
    while (!input.empty()) {
      auto frame = decoder.Take(input);
      if (!frame) return frames;
      if (*frame) frames.push_back(std::move(**frame));
    }
  }
  return frames;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const std::vector<RpcFrame> frames = Decode(bytes, size);
  ORRERY_CHECK(Decode(bytes, 1) == frames);
  ORRERY_CHECK(Decode(bytes, 23) == frames);
  std::string again;
  for (const RpcFrame& frame : frames) again += EncodeRpcHeader(frame) + frame.payload;
  ORRERY_CHECK(bytes.starts_with(again));

  const orrery::Error error = orrery::net::DecodeRpcError(bytes);
  const orrery::Error same = orrery::net::DecodeRpcError(orrery::net::EncodeRpcError(error));
  ORRERY_CHECK(same.code() == error.code() && same.message() == error.message());
  return 0;
}
