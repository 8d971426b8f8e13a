// Bytes that were read from a connection and not yet used, in one contiguous piece.
//
// Grows when a message does not fit, and gives memory back once it is empty, so that an idle
// connection costs little. A large buffer is a mapping of its own: it grows without a copy, and
// takes no more memory than was written to it. Not thread-safe.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string_view>
#include <utility>

#include "base/check.h"

namespace orrery::net {

// Frees what new char[] or, when there are mapped bytes, mmap() has given.
struct ReadBufferDeleter {
  size_t mapped_bytes = 0;
  void operator()(char* bytes) const;
};

class ReadBuffer {
 public:
  ReadBuffer() = default;
  ReadBuffer(ReadBuffer&& other) noexcept { Swap(other); }
  ReadBuffer& operator=(ReadBuffer&& other) noexcept {
    Swap(other);
    return *this;
  }

  // The unused bytes. Valid until the next Prepare().
  std::string_view data() const { return {bytes_.get() + begin_, end_ - begin_}; }
  bool empty() const { return begin_ == end_; }

  // Room for exactly `size` more bytes behind data().
  std::span<char> Prepare(size_t size) {
    if (capacity_ - end_ < size) MakeRoom(size);
    return {bytes_.get() + end_, size};
  }
  // The first `size` of the prepared bytes are now filled.
  void Commit(size_t size) {
    ORRERY_CHECK(size <= capacity_ - end_);
    end_ += size;
  }
  // The first `size` bytes of data() are used up.
  void Consume(size_t size) {
    ORRERY_CHECK(size <= end_ - begin_);
    begin_ += size;
    if (empty()) begin_ = end_ = 0;
  }
  // Frees the memory if nothing is in it and it exceeds `keep` bytes.
  void Shrink(size_t keep) {
    if (!empty() || capacity_ <= keep) return;
    bytes_.reset();
    capacity_ = 0;
  }

 private:
  void Swap(ReadBuffer& other) {
    std::swap(bytes_, other.bytes_);
    std::swap(capacity_, other.capacity_);
    std::swap(begin_, other.begin_);
    std::swap(end_, other.end_);
  }

  using Bytes = std::unique_ptr<char[], ReadBufferDeleter>;

  void MakeRoom(size_t size);
  void Grow(size_t capacity);

  Bytes bytes_;
  size_t capacity_ = 0;
  size_t begin_ = 0;
  size_t end_ = 0;
};

}  // namespace orrery::net
