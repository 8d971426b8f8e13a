#include "net/rpc/rpc_callee.h"

#include <fmt/format.h>

#include <memory>
#include <utility>

#include "base/log.h"
#include "net/loop_signal.h"
#include "net/rpc/answer_box.h"
#include "net/rpc/frame/rpc_error.h"
#include "net/rpc/handshake/rpc_handshake.h"
#include "net/rpc/link/loop_ticker.h"
#include "net/rpc/link/rpc_link.h"
#include "net/rpc/link/stream_channel.h"

namespace orrery::net {
namespace {

class Callee final : public RpcLinkUser {
 public:
  Callee(Stream& stream, StreamChannel& channel, const RpcCalleeContext& context, NodeId caller)
      : stream_(stream),
        context_(context),
        limits_(context.options.limits),
        caller_(caller),
        link_(channel, stream.executor(), *this, context.options.link, context.clock, nullptr),
        signal_(LoopSignal::Make(stream.executor(), [this] { SendAnswers(); })),
        box_(std::make_shared<AnswerBox>(signal_)),
        ticker_(stream.executor(), context.options.link.tick_interval, [this] { link_.Tick(); }) {
    stream_.OnAbort([this] { link_.Break(Error(Code::kCancelled, "the server is stopping")); });
  }
  ~Callee() override {
    signal_->Close();
    box_->Close();
    stream_.OnAbort(nullptr);
  }
  Callee(const Callee&) = delete;
  Callee& operator=(const Callee&) = delete;

  Stream::Awaitable<Error> Run() { return link_.Run(); }

  Status TakeFrame(RpcFrame frame) override {
    if (frame.kind != RpcFrameKind::kRequest)
      return Fail(Code::kInvalidArgument, "the caller sent something that is no request");
    const RpcTicket ticket{frame.id, frame.method, frame.payload.size()};
    ++requests_;
    request_bytes_ += ticket.request_bytes;
    context_.requests.Add();
    Settle();
    context_.handler.Serve(caller_, frame.method, std::move(frame.payload),
                           RpcAnswerer(box_, ticket));
    return {};
  }

  bool WantsMore() const override {
    return requests_ < limits_.requests_max && request_bytes_ <= limits_.request_bytes_max &&
           link_.unsent_bytes() <= limits_.unsent_bytes_soft_max;
  }

  void OnSent() override { Settle(); }

 private:
  void SendAnswers() {
    for (AnswerBox::Entry& entry : box_->TakeAll()) {
      --requests_;
      request_bytes_ -= entry.ticket.request_bytes;
      link_.Send(ToFrame(entry.ticket, std::move(entry.answer)));
    }
    link_.Flush();
    link_.Resume();
    Settle();
  }

  RpcFrame ToFrame(const RpcTicket& ticket, Result<std::string> answer) const {
    if (answer && answer->size() > kRpcPayloadBytesMax) {
      answer =
          Fail(Code::kTooLarge, fmt::format("an answer of {} bytes to another node: at most {}",
                                            answer->size(), kRpcPayloadBytesMax));
    }
    if (answer && !answer->empty() &&
        link_.unsent_bytes() + answer->size() > limits_.unsent_bytes_max) {
      answer = Fail(Code::kUnavailable, "too many answers wait that the caller does not read");
    }
    if (answer) return {RpcFrameKind::kAnswer, ticket.id, ticket.method, std::move(*answer)};
    return {RpcFrameKind::kError, ticket.id, ticket.method, EncodeRpcError(answer.error())};
  }

  // Tells the stream whether draining may end it now.
  void Settle() { stream_.SetIdle(requests_ == 0 && link_.unsent_bytes() == 0); }

  Stream& stream_;
  const RpcCalleeContext& context_;
  const RpcServerLimits& limits_;
  const NodeId caller_;
  RpcLink link_;
  size_t requests_ = 0;  // under way
  size_t request_bytes_ = 0;
  const std::shared_ptr<LoopSignal> signal_;
  const std::shared_ptr<AnswerBox> box_;
  LoopTicker ticker_;
};

}  // namespace

Stream::Awaitable<void> ServeRpc(Stream& stream, const RpcCalleeContext& context) {
  if (!stream.tls()) {
    context.refused.Add();
    co_return;
  }
  StreamChannel channel(stream);
  stream.ExpireAfter(context.options.limits.handshake_max);
  const Result<NodeId> caller =
      co_await Recognize(channel, context.options.identity, context.certificate);
  if (!caller) {
    context.refused.Add();
    LogDebug("refused {} as a node: {}", stream.peer(), caller.error().message());
    co_await stream.Close(Stream::CloseMode::kAtOnce);
    co_return;
  }
  stream.NeverExpire();
  Callee callee(stream, channel, context, *caller);
  const Error why = co_await callee.Run();
  LogDebug("the connection of node {} at {} ended: {}", caller->value(), stream.peer(),
           why.message());
}

}  // namespace orrery::net
