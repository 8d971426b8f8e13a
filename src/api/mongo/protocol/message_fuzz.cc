// Feeds arbitrary bytes to the reader of messages: whatever it accepts must be safe to walk.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "api/mongo/protocol/message.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const auto header = orrery::mongo::ReadHeader(input);
  if (!header.has_value()) return 0;
  orrery::mongo::Message message;
  if (!orrery::mongo::ReadMessage(*header, input.substr(orrery::mongo::kHeaderBytes), message)
           .has_value())
    return 0;
  std::string out;
  orrery::mongo::AppendMsg(out, message.request_id, 0, message.body,
                           orrery::mongo::Compressor::kZstd);
  for (const auto& sequence : message.sequences) {
    for (const auto document : sequence.documents) (void)document.ToObject();
  }
  return 0;
}
