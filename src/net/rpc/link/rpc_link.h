// One connection between two nodes after the handshake, from either end: frames in, frames out, and
// whether the other end is still there.
//
// Each end sends a ping when it had nothing else to say for a while, so an end that hears nothing
// for several times as long knows that the other is gone, or cannot do anything. What is written
// must leave in time, too. Reading pauses while the user of the link wants no more; silence is not
// counted then.
//
// Lives on one event loop; only that loop's thread may touch it. Must not be destroyed before the
// coroutine of Run() has ended.
// Includes Asio: for code under net/.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <memory>
#include <optional>
#include <string_view>

#include "base/byte_budget.h"
#include "base/clock.h"
#include "net/gate.h"
#include "net/rpc/frame/rpc_frame.h"
#include "net/rpc/frame/send_queue.h"
#include "net/rpc/link/byte_channel.h"
#include "net/rpc/link/rpc_times.h"

namespace orrery::net {

// The user of a link. Called on its loop.
class RpcLinkUser {
 public:
  virtual ~RpcLinkUser() = default;
  // Any frame but a ping. An error ends the link.
  virtual Status TakeFrame(RpcFrame frame) = 0;
  // False pauses reading until RpcLink::Resume().
  virtual bool WantsMore() const { return true; }
  // Something has left.
  virtual void OnSent() {}
};

class RpcLink {
 public:
  // All references must outlive it. `unsent` counts what waits to be sent; may be null.
  RpcLink(ByteChannel& channel, boost::asio::any_io_executor loop, RpcLinkUser& user,
          const RpcLinkTimes& times, const Clock& clock, std::shared_ptr<ByteBudget> unsent);

  // Reads until either end closes or breaks the link, and says why it is over. Nothing is pending
  // on the channel then. Once only.
  ByteChannel::Awaitable<Error> Run();

  // Queues a frame; Flush() sends what is queued. After a break both do nothing.
  void Send(RpcFrame frame);
  void Flush();
  size_t unsent_bytes() const { return queue_.bytes(); }

  // Looks again whether the user wants more.
  void Resume() { gate_.Open(); }
  bool broken() const { return broken_.has_value(); }
  // Ends the link, for that reason unless it is over already.
  void Break(Error why);
  // To be called every tick_interval, while Run() runs.
  void Tick();

 private:
  static constexpr size_t kReadBytes = 64 << 10;
  // Frames that are handled before others of the loop have their turn.
  static constexpr int kFramesPerTurn = 256;

  ByteChannel::Awaitable<std::string_view> Read();
  ByteChannel::Awaitable<void> Handle(std::string_view input);
  void StartWrite(std::string_view piece);

  ByteChannel& channel_;
  RpcLinkUser& user_;
  const RpcLinkTimes times_;
  const Clock& clock_;
  Gate gate_;  // Run() waits here
  RpcFrameDecoder decoder_;
  SendQueue queue_;
  const std::unique_ptr<char[]> space_;
  std::optional<Error> broken_;
  bool reading_ = false;
  bool writing_ = false;
  bool suspected_ = false;  // silent for too long at the last tick
  Micros last_heard_;
  Micros last_sent_;
};

}  // namespace orrery::net
