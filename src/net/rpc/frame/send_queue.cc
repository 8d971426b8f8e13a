#include "net/rpc/frame/send_queue.h"

#include <algorithm>
#include <utility>

#include "base/check.h"

namespace orrery::net {

void SendQueue::Append(RpcFrame frame) {
  const std::string header = EncodeRpcHeader(frame);
  const size_t size = header.size() + frame.payload.size();
  share_.Hold(share_.bytes() + size);
  if (frame.payload.size() <= kGatheredBytesMax) {
    PieceToGrow(size).append(header).append(frame.payload);
    return;
  }
  PieceToGrow(header.size()).append(header);
  pieces_.push_back(std::move(frame.payload));
}

std::string& SendQueue::PieceToGrow(size_t by) {
  const bool closed = pieces_.empty() || (pieces_.size() == 1 && front_taken_) ||
                      pieces_.back().size() + by > kPieceBytesMax;
  return closed ? pieces_.emplace_back() : pieces_.back();
}

std::string_view SendQueue::NextPiece() {
  if (pieces_.empty()) return {};
  front_taken_ = true;
  return std::string_view(pieces_.front()).substr(consumed_, kPieceBytesMax);
}

void SendQueue::Consume(size_t size) {
  ORRERY_CHECK(!pieces_.empty() && size <= pieces_.front().size() - consumed_);
  consumed_ += size;
  share_.Hold(share_.bytes() - size);
  if (consumed_ < pieces_.front().size()) return;
  pieces_.pop_front();
  consumed_ = 0;
  front_taken_ = false;
}

}  // namespace orrery::net
