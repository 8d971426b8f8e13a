// The kind of a message: the opcode byte of an envelope.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace orrery::cassandra {

enum class Opcode : uint8_t {
  kError = 0x00,
  kStartup = 0x01,
  kReady = 0x02,
  kAuthenticate = 0x03,
  kOptions = 0x05,
  kSupported = 0x06,
  kQuery = 0x07,
  kResult = 0x08,
  kPrepare = 0x09,
  kExecute = 0x0A,
  kRegister = 0x0B,
  kEvent = 0x0C,
  kBatch = 0x0D,
  kAuthChallenge = 0x0E,
  kAuthResponse = 0x0F,
  kAuthSuccess = 0x10,
};

// Nothing for a byte that is no opcode.
std::optional<Opcode> ToOpcode(uint8_t byte);
// As the protocol's documents write it: "AUTH_RESPONSE".
std::string_view OpcodeName(Opcode opcode);
// Returns whether clients send it; everything else only servers do.
bool IsRequestOpcode(Opcode opcode);

}  // namespace orrery::cassandra
