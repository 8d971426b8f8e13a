// Code that the fuzz targets of requests and responses share. Included by them only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <optional>
#include <string_view>

#include "api/cassandra/protocol/frame/envelope.h"

namespace orrery::cassandra {

// Any body under the version, flags and opcode that the first three bytes choose. Views the bytes.
// Nothing when they choose none.
inline std::optional<Envelope> ChosenMessage(const uint8_t* data, size_t size) {
  constexpr size_t kChoiceBytes = 3;
  if (size < kChoiceBytes) return std::nullopt;
  const auto opcode = ToOpcode(data[2] % 0x11);
  if (!opcode.has_value()) return std::nullopt;
  Envelope message;
  message.body = {reinterpret_cast<const char*>(data) + kChoiceBytes, size - kChoiceBytes};
  message.header.version = static_cast<ProtocolVersion>(3 + data[0] % 3);
  message.header.flags = data[1];
  message.header.opcode = *opcode;
  message.header.body_bytes = static_cast<uint32_t>(message.body.size());
  return message;
}

inline void ExpectInside(std::string_view view, std::string_view body) {
  if (view.empty()) return;
  const std::less<> less;
  if (less(view.data(), body.data()) || less(body.data() + body.size(), view.data() + view.size()))
    std::abort();
}

}  // namespace orrery::cassandra
