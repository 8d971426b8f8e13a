#include "net/framed/send_buffer.h"

#include <algorithm>

#include "base/check.h"

namespace orrery::net {
namespace {

// The bytes that a connection may hold uncounted.
constexpr size_t kUnsentUncountedBytes = 4 << 10;
// The capacity that an empty buffer keeps.
constexpr size_t kKeptSendBytes = 1 << 10;
constexpr size_t kKeptPieces = 64;

void EmptyBuffer(std::string& buffer) {
  buffer.clear();
  // Assigning an empty string would keep the memory.
  if (buffer.capacity() > kKeptSendBytes) std::string().swap(buffer);
}

}  // namespace

void SendBuffer::WrapFromHere(SendWrapper& wrapper) {
  ORRERY_CHECK(wrapper_ == nullptr);
  wrapper_ = &wrapper;
  bare_bytes_ = gather_.size();
}

void SendBuffer::EndPiece() {
  ORRERY_CHECK(wrapper_ == nullptr);
  if (gather_.size() == gathered_piece_bytes_) return;
  gathered_pieces_.push_back(gather_.size() - gathered_piece_bytes_);
  gathered_piece_bytes_ = gather_.size();
}

void SendBuffer::ExpectBurst() {
  if (gather_.empty()) gather_.reserve(last_burst_bytes_);
}

size_t SendBuffer::memory_bytes() const { return gather_.capacity() + wire_.capacity(); }

void SendBuffer::Count() {
  const size_t bytes = memory_bytes();
  share_.Hold(bytes > kUnsentUncountedBytes ? bytes : 0);
}

void SendBuffer::EndBurst() {
  if (gather_.empty()) EmptyBuffer(gather_);
}

std::string_view SendBuffer::Wire() {
  if (wire_.empty() && !gather_.empty()) {
    last_burst_bytes_ = gather_.size();
    if (wrapper_ == nullptr) {
      wire_.swap(gather_);
      wire_pieces_.swap(gathered_pieces_);
      gathered_piece_bytes_ = 0;
    } else {
      const std::string_view all = gather_;
      wire_.append(all.substr(0, bare_bytes_));
      if (bare_bytes_ < all.size()) wrapper_->Wrap(all.substr(bare_bytes_), wire_);
      bare_bytes_ = 0;
      EmptyBuffer(gather_);
    }
  }
  Count();
  return std::string_view(wire_).substr(sent_);
}

void SendBuffer::Consume(size_t size) {
  ORRERY_CHECK(size <= wire_.size() - sent_);
  sent_ += size;
  while (size > 0 && pieces_sent_ < wire_pieces_.size()) {
    size_t& piece = wire_pieces_[pieces_sent_];
    const size_t sent = std::min(piece, size);
    piece -= sent;
    size -= sent;
    if (piece == 0) ++pieces_sent_;
  }
  if (sent_ < wire_.size()) return;
  sent_ = 0;
  pieces_sent_ = 0;
  wire_pieces_.clear();
  if (wire_pieces_.capacity() > kKeptPieces) std::vector<size_t>().swap(wire_pieces_);
  EmptyBuffer(wire_);
  Count();
}

}  // namespace orrery::net
