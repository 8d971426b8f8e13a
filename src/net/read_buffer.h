// Bytes that were read from a connection and not yet used, in one contiguous piece.
//
// Grows when a message does not fit, and gives memory back once it is empty, so that an idle
// connection costs little. Not thread-safe.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <memory>
#include <span>
#include <string_view>
#include <utility>

#include "base/check.h"

namespace orrery::net {

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

  void MakeRoom(size_t size) {
    const size_t used = end_ - begin_;
    if (used + size > capacity_) {
      // Doubling keeps the copying of a message that grows bit by bit linear.
      const size_t capacity = std::max(used + size, capacity_ * 2);
      auto bytes = std::make_unique_for_overwrite<char[]>(capacity);
      if (used > 0) std::memcpy(bytes.get(), bytes_.get() + begin_, used);
      bytes_ = std::move(bytes);
      capacity_ = capacity;
    } else {
      std::memmove(bytes_.get(), bytes_.get() + begin_, used);
    }
    begin_ = 0;
    end_ = used;
  }

  std::unique_ptr<char[]> bytes_;
  size_t capacity_ = 0;
  size_t begin_ = 0;
  size_t end_ = 0;
};

}  // namespace orrery::net
