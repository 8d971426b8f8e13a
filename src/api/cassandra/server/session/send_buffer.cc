#include "api/cassandra/server/session/send_buffer.h"

#include "base/check.h"

namespace orrery::cassandra {
namespace {

// What a connection may hold uncounted.
constexpr size_t kUncountedBytes = 64 << 10;
// What an empty buffer may keep.
constexpr size_t kKeptBytes = 1 << 10;

void Empty(std::string& buffer) {
  buffer.clear();
  // Assigning an empty string would keep the memory.
  if (buffer.capacity() > kKeptBytes) std::string().swap(buffer);
}

}  // namespace

void SendBuffer::StartFrames(FrameFormat format) {
  ORRERY_CHECK(!frames_.has_value());
  frames_ = format;
  bare_bytes_ = gather_.size();
}

void SendBuffer::ExpectBurst() {
  if (gather_.empty()) gather_.reserve(last_burst_bytes_);
}

size_t SendBuffer::memory_bytes() const { return gather_.capacity() + wire_.capacity(); }

void SendBuffer::Count() {
  const size_t bytes = memory_bytes();
  share_.Hold(bytes > kUncountedBytes ? bytes : 0);
}

void SendBuffer::EndBurst() {
  if (gather_.empty()) Empty(gather_);
}

std::string_view SendBuffer::Wire() {
  if (wire_.empty() && !gather_.empty()) {
    last_burst_bytes_ = gather_.size();
    if (!frames_.has_value()) {
      wire_.swap(gather_);
    } else {
      const std::string_view all = gather_;
      wire_.append(all.substr(0, bare_bytes_));
      AppendFrames(wire_, all.substr(bare_bytes_), *frames_);
      bare_bytes_ = 0;
      Empty(gather_);
    }
  }
  Count();
  return std::string_view(wire_).substr(sent_);
}

void SendBuffer::Consume(size_t size) {
  ORRERY_CHECK(size <= wire_.size() - sent_);
  sent_ += size;
  if (sent_ < wire_.size()) return;
  sent_ = 0;
  Empty(wire_);
  Count();
}

}  // namespace orrery::cassandra
