// RandomBits are the randomness of a server: ids and secrets that nobody can guess.
#pragma once

#include <cstdint>

namespace orrery::server {

// Returns 64 bits of the machine's own randomness. Thread-safe.
uint64_t RandomBits();

}  // namespace orrery::server
