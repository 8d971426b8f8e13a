#include "server/random_bits.h"

#include <random>

namespace orrery::server {

uint64_t RandomBits() {
  static thread_local std::random_device device;
  return uint64_t{device()} << 32 | device();
}

}  // namespace orrery::server
