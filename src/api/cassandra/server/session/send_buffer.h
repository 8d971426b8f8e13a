// A connection's way out: responses are gathered as envelopes, and what has gathered becomes one
// run of bytes to send, in v5 as few frames as hold it.
//
// Two buffers: one is being sent and stays where it is, the other gathers. Both are given back
// when all is sent, so an idle connection has none. Not thread-safe; one per connection.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "api/cassandra/protocol/frame/frame.h"
#include "base/byte_budget.h"

namespace orrery::cassandra {

class SendBuffer {
 public:
  // What it holds is counted in `budget`; null: nowhere.
  explicit SendBuffer(std::shared_ptr<ByteBudget> budget = nullptr) : share_(std::move(budget)) {}

  // Where responses are appended, whole envelopes only.
  std::string& gather() { return gather_; }
  // What has gathered goes out as it is, all that comes later in frames. REQUIRES: called once.
  void StartFrames(FrameFormat format);

  // A burst of responses begins, probably about as large as the last.
  void ExpectBurst();
  // It is over; gives the memory back if nothing came of it.
  void EndBurst();

  // The bytes to send next; empty when there are none. They stay valid and the same until
  // Consume(), whatever is gathered meanwhile.
  std::string_view Wire();
  // The first `size` bytes of Wire() are sent.
  void Consume(size_t size);

  size_t memory_bytes() const;
  size_t unsent_bytes() const { return gather_.size() + wire_.size() - sent_; }

 private:
  void Count();

  std::string gather_;
  std::string wire_;
  size_t sent_ = 0;        // of wire_
  size_t bare_bytes_ = 0;  // at the head of gather_, from before the frames began
  size_t last_burst_bytes_ = 0;
  std::optional<FrameFormat> frames_;
  ByteShare share_;
};

}  // namespace orrery::cassandra
