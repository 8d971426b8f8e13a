#include "net/read_buffer.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstring>
#include <new>

namespace orrery::net {
namespace {

// Buffers from here on are mappings of their own.
constexpr size_t kMappedBytesMin = 1 << 20;

char* Mapped(void* bytes) {
  if (bytes == MAP_FAILED) throw std::bad_alloc();
  return static_cast<char*>(bytes);
}

}  // namespace

void ReadBufferDeleter::operator()(char* bytes) const {
  if (mapped_bytes == 0) {
    std::default_delete<char[]>()(bytes);
  } else {
    munmap(bytes, mapped_bytes);
  }
}

void ReadBuffer::MakeRoom(size_t size) {
  const size_t used = end_ - begin_;
  if (begin_ > 0 && used > 0) std::memmove(bytes_.get(), bytes_.get() + begin_, used);
  begin_ = 0;
  end_ = used;
  // Doubling keeps the copying of a message that grows bit by bit linear.
  if (used + size > capacity_) Grow(std::max(used + size, capacity_ * 2));
}

void ReadBuffer::Grow(size_t capacity) {
  const size_t mapped = bytes_ ? bytes_.get_deleter().mapped_bytes : 0;
  if (mapped > 0) {
    char* const bytes = Mapped(mremap(bytes_.get(), mapped, capacity, MREMAP_MAYMOVE));
    // What was mapped before is no more.
    static_cast<void>(bytes_.release());
    bytes_ = Bytes(bytes, ReadBufferDeleter{capacity});
  } else if (capacity >= kMappedBytesMin) {
    char* const bytes = Mapped(mmap(nullptr, capacity, PROT_READ | PROT_WRITE,
                                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
    if (end_ > 0) std::memcpy(bytes, bytes_.get(), end_);
    bytes_ = Bytes(bytes, ReadBufferDeleter{capacity});
  } else {
    auto bytes = std::make_unique_for_overwrite<char[]>(capacity);
    if (end_ > 0) std::memcpy(bytes.get(), bytes_.get(), end_);
    bytes_ = Bytes(bytes.release(), ReadBufferDeleter{});
  }
  capacity_ = capacity;
}

}  // namespace orrery::net
