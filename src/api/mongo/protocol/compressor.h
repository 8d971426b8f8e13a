// The compressors that clients and the server can agree on, by name in the handshake and by number
// in messages.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace orrery::mongo {

enum class Compressor : uint8_t { kNoop = 0, kSnappy = 1, kZlib = 2, kZstd = 3 };

// Returns nullopt for a name of none that is offered.
std::optional<Compressor> CompressorNamed(std::string_view name);
std::optional<Compressor> CompressorNumbered(uint8_t number);
std::string_view CompressorName(Compressor compressor);

}  // namespace orrery::mongo
