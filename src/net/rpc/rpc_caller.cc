#include "net/rpc/rpc_caller.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/asio/co_spawn.hpp>
#include <exception>
#include <utility>

#include "base/log.h"
#include "net/rpc/frame/rpc_error.h"
#include "net/rpc/handshake/rpc_handshake.h"

namespace orrery::net {
namespace asio = boost::asio;

RpcCaller::RpcCaller(asio::io_context& loop, RpcClientOptions options, const Clock& clock,
                     std::shared_ptr<ByteBudget> unsent)
    : loop_(loop),
      options_(std::move(options)),
      clock_(clock),
      unsent_(std::move(unsent)),
      address_(options_.address),
      schedule_(options_.redial) {}

void RpcCaller::Take(std::vector<RpcCall> calls) {
  const Micros give_up = clock_.Monotonic() + options_.connect_wait_max;
  for (RpcCall& call : calls) {
    const Micros deadline = call.deadline;
    waiting_.push_back({std::move(call), std::min(deadline, give_up)});
  }
  if (!ticker_ && !stopped_) {
    ticker_.emplace(loop_.get_executor(), options_.link.tick_interval, [this] { Tick(); });
  }
  Advance();
}

void RpcCaller::Advance() {
  if (link_ != nullptr && !link_->broken()) return SendWaiting();
  const Micros now = clock_.Monotonic();
  if (!dialing_ && !waiting_.empty() && !stopped_ && now >= schedule_.next()) {
    dialing_ = true;
    asio::co_spawn(loop_, Dial(shared_from_this()),
                   [self = shared_from_this()](const std::exception_ptr& escaped) {
                     if (!escaped) return;
                     self->EndDialing(Error(Code::kInternal, "connecting ended by an exception"));
                   });
  }
  GiveUpWaiting(now);
}

void RpcCaller::SendWaiting() {
  for (; !waiting_.empty(); waiting_.pop_front()) {
    RpcCall& call = waiting_.front().call;
    const uint64_t id = sent_.Add(call.deadline, std::move(call.done));
    link_->Send({RpcFrameKind::kRequest, id, call.method, std::move(call.request)});
  }
  link_->Flush();
}

void RpcCaller::GiveUpWaiting(Micros now) {
  // Checks whether the next attempt comes too late for a call.
  const Micros next = dialing_ ? now : schedule_.next();
  std::vector<RpcDone> given_up;
  std::erase_if(waiting_, [&](WaitingCall& waiting) {
    if (!stopped_ && waiting.give_up > now && waiting.give_up > next) return false;
    given_up.push_back(std::move(waiting.call.done));
    return true;
  });
  // They were not sent: nothing can have come of them.
  for (RpcDone& done : given_up)
    done(Fail(Code::kMoved, fmt::format("{}: {}", Name(), last_failure_)));
}

void RpcCaller::Tick() {
  const Micros now = clock_.Monotonic();
  for (RpcDone& done : sent_.TakeOverdue(now)) done(Unavailable("no answer came in time"));
  if (link_ != nullptr) return link_->Tick();
  if (socket_ != nullptr && now >= dial_deadline_) socket_->Cut();
  Advance();
}

Status RpcCaller::TakeFrame(RpcFrame frame) {
  if (frame.kind == RpcFrameKind::kRequest)
    return Fail(Code::kInvalidArgument, "the callee sent a request");
  // None: its caller has lost patience.
  std::optional<RpcDone> done = sent_.Take(frame.id);
  if (!done) return {};
  if (frame.kind == RpcFrameKind::kError) {
    (*done)(Fail(DecodeRpcError(frame.payload)));
  } else {
    (*done)(std::move(frame.payload));
  }
  return {};
}

ByteChannel::Awaitable<void> RpcCaller::Dial(std::shared_ptr<RpcCaller> self) {
  DialedSocket socket(self->loop_);
  self->socket_ = &socket;
  self->dial_deadline_ = self->clock_.Monotonic() + self->options_.connect_max;
  const Status connected = co_await self->Connect(socket);
  if (!connected) {
    self->schedule_.OnFailure(self->clock_.Monotonic());
    co_return self->EndDialing(connected.error());
  }
  LogInfo("connected to {}", self->Name());
  const Error why = co_await self->Converse(socket);
  self->schedule_.OnLoss(self->clock_.Monotonic());
  self->EndDialing(why);
}

ByteChannel::Awaitable<Status> RpcCaller::Connect(DialedSocket& socket) {
  if (Status valid = CheckRpcIdentity(options_.identity); !valid) co_return valid;
  if (stopped_) co_return Unavailable(last_failure_);
  const HostPort address = address_;  // it may change meanwhile
  if (Status connected = co_await socket.Connect(address); !connected) co_return connected;
  co_return co_await IntroduceTo(socket, options_.identity, options_.callee,
                                 socket.peer_certificate());
}

ByteChannel::Awaitable<Error> RpcCaller::Converse(DialedSocket& socket) {
  RpcLink link(socket, loop_.get_executor(), *this, options_.link, clock_, unsent_);
  link_ = &link;
  SendWaiting();
  Error why = co_await link.Run();
  link_ = nullptr;
  co_return why;
}

void RpcCaller::EndDialing(const Error& why) {
  dialing_ = false;
  socket_ = nullptr;
  link_ = nullptr;
  // Not again and again while it stays so.
  if (!stopped_ && why.message() != last_failure_)
    LogWarn("no connection to {}: {}", Name(), why.message());
  last_failure_ = why.message();
  for (RpcDone& done : sent_.TakeAll()) done(Unavailable(last_failure_));
  Advance();
}

void RpcCaller::MoveTo(HostPort address) {
  if (address == address_) return;
  address_ = std::move(address);
  schedule_.Reset();
  const std::string_view why = "the peer has another address now";
  if (link_ != nullptr) {
    link_->Break(Error(Code::kUnavailable, std::string(why)));
  } else if (socket_ != nullptr) {
    socket_->Cut();
  }
}

void RpcCaller::Stop() {
  stopped_ = true;
  ticker_.reset();
  last_failure_ = "this node is stopping";
  if (link_ != nullptr) {
    link_->Break(Error(Code::kUnavailable, last_failure_));
  } else if (socket_ != nullptr) {
    socket_->Cut();
  }
  for (RpcDone& done : sent_.TakeAll()) done(Unavailable(last_failure_));
  GiveUpWaiting(clock_.Monotonic());
}

std::string RpcCaller::Name() const {
  return fmt::format("node {} at {}", options_.callee.value(), FormatHostPort(address_));
}

std::unexpected<Error> RpcCaller::Unavailable(std::string_view why) const {
  return Fail(Code::kUnavailable, fmt::format("{}: {}", Name(), why));
}

}  // namespace orrery::net
