// Frames on their way out of one connection, in order.
//
// Small frames are gathered into larger pieces, and large payloads are kept as they came, so that
// neither many small writes nor large copies are made. What waits here is counted against a budget
// that may span more than this queue. Not thread-safe.
#pragma once

#include <cstddef>
#include <deque>
#include <memory>
#include <string>
#include <string_view>

#include "base/byte_budget.h"
#include "net/rpc/frame/rpc_frame.h"

namespace orrery::net {

class SendQueue {
 public:
  // Payloads up to this are copied behind what waits already.
  static constexpr size_t kGatheredBytesMax = 16 << 10;
  // The maximal size of a joined piece.
  static constexpr size_t kPieceBytesMax = 256 << 10;

  // `budget` may be null.
  explicit SendQueue(std::shared_ptr<ByteBudget> budget) : share_(std::move(budget)) {}

  // Takes the frame however full the queue is: its bytes are in memory already.
  // REQUIRES: the payload has at most kRpcPayloadBytesMax bytes.
  void Append(RpcFrame frame);

  size_t bytes() const { return share_.bytes(); }
  bool empty() const { return pieces_.empty(); }

  // Returns the next bytes to write, at most kPieceBytesMax; they stay in place until Consume,
  // whatever is appended meanwhile. Empty when nothing waits.
  std::string_view NextPiece();
  // The first `size` bytes of NextPiece() have left.
  void Consume(size_t size);

 private:
  std::string& PieceToGrow(size_t by);

  std::deque<std::string> pieces_;  // references to its strings stay valid
  size_t consumed_ = 0;             // of the first
  bool front_taken_ = false;        // by NextPiece(): must not grow any more
  ByteShare share_;
};

}  // namespace orrery::net
