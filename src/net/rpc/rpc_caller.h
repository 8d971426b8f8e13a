// An RpcCaller is the part of an RpcClient that lives on its event loop: the calls under way, the
// connection, and the attempts to make one.
//
//   waiting calls --(a connection)--> its queue and the table --(an answer)--> done
//
// Only the loop's thread may touch it. Its coroutine keeps it alive: after Stop() it goes by
// itself. Includes Asio: for code under net/.
#pragma once

#include <boost/asio/io_context.hpp>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "net/rpc/link/dialed_socket.h"
#include "net/rpc/link/loop_ticker.h"
#include "net/rpc/link/rpc_link.h"
#include "net/rpc/redial_schedule.h"
#include "net/rpc/rpc_call.h"
#include "net/rpc/rpc_call_table.h"
#include "net/rpc/rpc_client.h"

namespace orrery::net {

class RpcCaller final : public RpcLinkUser, public std::enable_shared_from_this<RpcCaller> {
 public:
  // `unsent` counts the bytes that wait to be sent. `loop` and `clock` must outlive it.
  RpcCaller(boost::asio::io_context& loop, RpcClientOptions options, const Clock& clock,
            std::shared_ptr<ByteBudget> unsent);

  // Sends them, or has them wait for a connection.
  void Take(std::vector<RpcCall> calls);
  void MoveTo(HostPort address);
  // All calls fail, now and from now on.
  void Stop();

  Status TakeFrame(RpcFrame frame) override;

 private:
  struct WaitingCall {
    RpcCall call;
    Micros give_up;  // when there is no connection by then
  };

  // Does what can be done about the waiting calls: sends, dials, or gives up.
  void Advance();
  void SendWaiting();
  void GiveUpWaiting(Micros now);
  void Tick();

  static ByteChannel::Awaitable<void> Dial(std::shared_ptr<RpcCaller> self);
  ByteChannel::Awaitable<Status> Connect(DialedSocket& socket);
  ByteChannel::Awaitable<Error> Converse(DialedSocket& socket);
  // The coroutine is over, whether it got a connection or not.
  void EndDialing(const Error& why);

  std::string Name() const;  // for people
  std::unexpected<Error> Unavailable(std::string_view why) const;

  boost::asio::io_context& loop_;
  const RpcClientOptions options_;
  const Clock& clock_;
  const std::shared_ptr<ByteBudget> unsent_;
  HostPort address_;
  std::deque<WaitingCall> waiting_;
  RpcCallTable sent_;
  RedialSchedule schedule_;
  std::string last_failure_ = "not connected yet";
  bool dialing_ = false;            // there is a coroutine, from dialing to the connection's end
  DialedSocket* socket_ = nullptr;  // the coroutine's
  RpcLink* link_ = nullptr;         // the coroutine's, once it is connected
  Micros dial_deadline_{0};
  std::optional<LoopTicker> ticker_;
  bool stopped_ = false;
};

}  // namespace orrery::net
