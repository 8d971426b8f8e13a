#include "server/random_bits.h"

#include <sys/random.h>

#include <array>
#include <cstddef>
#include <utility>

#include "base/check.h"

namespace orrery::server {
namespace {

// Bits that the kernel has given to this thread and that nobody has had yet. One call of the kernel
// is for many numbers; std::random_device asks the processor for each, which takes several
// microseconds where that is a virtual machine's.
class RandomStock {
 public:
  uint64_t Take() {
    if (left_ == 0) Fill();
    // A number that was given away is not kept.
    return std::exchange(words_[--left_], 0);
  }

 private:
  void Fill() {
    // At most 256 bytes come whole and without an error, once the kernel has gathered randomness.
    static_assert(sizeof(words_) <= 256);
    const ssize_t got = getrandom(words_.data(), sizeof(words_), 0);
    ORRERY_CHECK(got == static_cast<ssize_t>(sizeof(words_)));
    left_ = words_.size();
  }

  std::array<uint64_t, 32> words_{};
  size_t left_ = 0;
};

}  // namespace

uint64_t RandomBits() {
  static thread_local RandomStock stock;
  return stock.Take();
}

}  // namespace orrery::server
