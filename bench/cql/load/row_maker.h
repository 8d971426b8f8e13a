// The bench's rows, made from their numbers: key "key-000000000042" and a value that no compression
// shrinks. Loader, generator and the bare limit agree on them by calling this.
//
// Immutable after construction; shared between threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace orrery::bench {

class RowMaker {
 public:
  explicit RowMaker(size_t value_bytes);

  size_t value_bytes() const { return value_bytes_; }
  // Replaces `key`, whose memory is used again.
  static void MakeKey(uint64_t number, std::string& key);
  std::string_view Value(uint64_t number) const;

 private:
  const size_t value_bytes_;
  std::string pool_;  // values are pieces of it
};

}  // namespace orrery::bench
