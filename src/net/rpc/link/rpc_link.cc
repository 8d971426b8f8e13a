#include "net/rpc/link/rpc_link.h"

#include <fmt/format.h>

#include <span>
#include <utility>

namespace orrery::net {

RpcLink::RpcLink(ByteChannel& channel, boost::asio::any_io_executor loop, RpcLinkUser& user,
                 const RpcLinkTimes& times, const Clock& clock, std::shared_ptr<ByteBudget> unsent)
    : channel_(channel),
      user_(user),
      times_(times),
      clock_(clock),
      gate_(std::move(loop)),
      queue_(std::move(unsent)),
      space_(std::make_unique_for_overwrite<char[]>(kReadBytes)),
      last_heard_(clock.Monotonic()),
      last_sent_(last_heard_) {}

ByteChannel::Awaitable<Error> RpcLink::Run() {
  while (!broken_) {
    const std::string_view input = co_await Read();
    if (!broken_) co_await Handle(input);
  }
  while (writing_) co_await gate_.Wait();
  co_return *broken_;
}

ByteChannel::Awaitable<std::string_view> RpcLink::Read() {
  while (!user_.WantsMore() && !broken_) co_await gate_.Wait();
  if (broken_) co_return std::string_view();
  last_heard_ = clock_.Monotonic();
  suspected_ = false;
  reading_ = true;
  const Result<size_t> size = co_await channel_.ReadSome(std::span(space_.get(), kReadBytes));
  reading_ = false;
  if (!size) {
    Break(size.error());
  } else if (*size == 0) {
    Break(Error(Code::kUnavailable, decoder_.partial()
                                        ? "the peer closed the connection within a frame"
                                        : "the peer closed the connection"));
  }
  co_return size ? std::string_view(space_.get(), *size) : std::string_view();
}

ByteChannel::Awaitable<void> RpcLink::Handle(std::string_view input) {
  for (int taken = 1; !input.empty() && !broken_; ++taken) {
    if (taken % kFramesPerTurn == 0) {
      Flush();
      co_await gate_.LetOthersPass();
    }
    while (!user_.WantsMore() && !broken_) {
      Flush();
      co_await gate_.Wait();
    }
    if (broken_) co_return;
    Result<std::optional<RpcFrame>> frame = decoder_.Take(input);
    if (!frame) {
      Break(frame.error());
    } else if (*frame && (*frame)->kind != RpcFrameKind::kPing) {
      if (Status taken_well = user_.TakeFrame(std::move(**frame)); !taken_well)
        Break(taken_well.error());
    }
  }
  Flush();
}

void RpcLink::Send(RpcFrame frame) {
  if (!broken_) queue_.Append(std::move(frame));
}

void RpcLink::Flush() {
  if (broken_ || writing_ || queue_.empty()) return;
  StartWrite(queue_.NextPiece());
}

void RpcLink::StartWrite(std::string_view piece) {
  writing_ = true;
  last_sent_ = clock_.Monotonic();
  channel_.StartWrite(piece, [this, size = piece.size()](const Status& written) {
    writing_ = false;
    if (written) {
      queue_.Consume(size);
      Flush();
      user_.OnSent();
    } else {
      Break(written.error());
    }
    gate_.Open();
  });
}

void RpcLink::Break(Error why) {
  if (broken_) return;
  broken_.emplace(std::move(why));
  channel_.Cut();
  gate_.Open();
}

void RpcLink::Tick() {
  if (broken_) return;
  const Micros now = clock_.Monotonic();
  if (writing_ && now - last_sent_ >= times_.write_max) {
    return Break(Error(Code::kUnavailable, fmt::format("the peer has read nothing for {} ms",
                                                       times_.write_max.count())));
  }
  if (!writing_ && now - last_sent_ >= times_.ping_interval) {
    Send(RpcFrame());
    Flush();
  }
  if (!reading_ || now - last_heard_ < times_.silence_max) return;
  // Twice, because what the peer said may lie unread while this loop was held up: between two ticks
  // it is read.
  if (std::exchange(suspected_, true)) {
    Break(Error(Code::kUnavailable,
                fmt::format("the peer was silent for {} ms", times_.silence_max.count())));
  }
}

}  // namespace orrery::net
