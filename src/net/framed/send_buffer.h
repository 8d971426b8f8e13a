// A SendBuffer is a connection's way out: answers are gathered as whole messages, and what has
// gathered becomes one run of bytes to send.
//
// Two buffers: one is being sent and stays where it is, the other gathers. Both are given back
// when all is sent, so an idle connection has none. Not thread-safe; one per connection.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/byte_budget.h"

namespace orrery::net {

// A SendWrapper puts what has gathered into the frames of a protocol that has any: called once for
// each run of bytes, not for each message.
class SendWrapper {
 public:
  virtual ~SendWrapper() = default;
  // Appends to `wire`.
  virtual void Wrap(std::string_view messages, std::string& wire) = 0;
};

class SendBuffer {
 public:
  // Its bytes are counted in `budget`; null: not counted.
  explicit SendBuffer(std::shared_ptr<ByteBudget> budget = nullptr) : share_(std::move(budget)) {}

  // The buffer to which answers are appended, whole messages only.
  std::string& gather() { return gather_; }
  // Separates the output so far from later output: it goes out in a TLS record of its own, or
  // several. For clients that take a record for a message. REQUIRES: nothing is wrapped.
  void EndPiece();
  // Sends the output so far as it is, and wraps all later output. REQUIRES: called once. `wrapper`
  // must outlive the buffer.
  void WrapFromHere(SendWrapper& wrapper);

  // A burst of answers begins, probably about as large as the last.
  void ExpectBurst();
  // It is over; gives the memory back if nothing came of it.
  void EndBurst();

  // The bytes to send next; empty when there are none. They stay valid and the same until
  // Consume(), whatever is gathered meanwhile.
  std::string_view Wire();
  // The lengths of the pieces that Wire() begins with; what is behind the last is one more. Valid
  // until Consume() or, if there are none, Wire().
  std::span<const size_t> pieces() const { return std::span(wire_pieces_).subspan(pieces_sent_); }
  // The first `size` bytes of Wire() are sent.
  void Consume(size_t size);

  size_t memory_bytes() const;
  size_t unsent_bytes() const { return gather_.size() + wire_.size() - sent_; }

 private:
  void Count();

  std::string gather_;
  std::string wire_;
  size_t sent_ = 0;                      // of wire_
  std::vector<size_t> gathered_pieces_;  // their lengths, in gather_
  size_t gathered_piece_bytes_ = 0;      // their sum
  std::vector<size_t> wire_pieces_;      // the same in wire_; the first of those not sent is what
  size_t pieces_sent_ = 0;               // is left of it
  size_t bare_bytes_ = 0;                // at the head of gather_, from before wrapping began
  size_t last_burst_bytes_ = 0;
  SendWrapper* wrapper_ = nullptr;  // null: messages go out as they are
  ByteShare share_;
};

}  // namespace orrery::net
