// Any bytes of a client, before and after STARTUP, must give messages or errors. The first byte of
// an input chooses version and compression; the rest is the connection's bytes, taken once as they
// are and once as envelopes in good frames, since no mutation would get past the checksums.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "api/cassandra/protocol/frame/message_decoder.h"

namespace {

using namespace orrery::cassandra;

constexpr size_t kBodyBytesMaxHere = size_t{1} << 20;

void Drain(MessageDecoder& decoder, std::string_view input) {
  while (true) {
    const size_t before = input.size();
    const auto next = decoder.Next(input);
    if (!next.has_value()) {
      if (next.error().error.message.empty()) std::abort();
      if (next.error().fatal()) return;
      continue;
    }
    if (!next->has_value()) return;
    if ((*next)->body.size() > kBodyBytesMaxHere || input.size() > before) std::abort();
  }
}

// The leading whole envelopes, for AppendFrames requires them.
std::string_view WholeEnvelopes(std::string_view bytes) {
  size_t whole = 0;
  while (bytes.size() - whole >= kEnvelopeHeaderBytes) {
    const size_t size = AnnouncedEnvelopeBytes(bytes.substr(whole));
    if (size > bytes.size() - whole) break;
    whole += size;
  }
  return bytes.substr(0, whole);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  const auto compression = static_cast<Compression>(data[0] % 3);
  const bool framed = (data[0] & 0x80) != 0;

  MessageDecoder bare(Direction::kRequest, kBodyBytesMaxHere);
  if ((data[0] & 0x40) != 0) bare.Start(ProtocolVersion::kV4, compression);
  Drain(bare, bytes);

  const Compression frame_compression =
      compression == Compression::kSnappy ? Compression::kNone : compression;
  MessageDecoder frames(Direction::kRequest, kBodyBytesMaxHere);
  frames.Start(ProtocolVersion::kV5, frame_compression);
  if (!framed) {
    Drain(frames, bytes);
    return 0;
  }
  std::string sent;
  AppendFrames(sent, WholeEnvelopes(bytes),
               frame_compression == Compression::kLz4 ? FrameFormat::kLz4 : FrameFormat::kPlain);
  Drain(frames, sent);
  return 0;
}
