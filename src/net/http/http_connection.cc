#include "net/http/http_connection.h"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <memory>
#include <optional>
#include <utility>

#include "base/log.h"
#include "net/arrival_deadline.h"
#include "net/http/http_request_parser.h"
#include "net/http/http_response_writer.h"
#include "net/http/http_takeover.h"
#include "net/http/response_slot.h"
#include "net/read_buffer.h"

namespace orrery::net {
namespace {

using boost::asio::awaitable;
using State = HttpRequestParser::State;

// Most requests fit into the first read; bodies are read in larger steps.
constexpr size_t kHeaderReadBytes = 4 << 10;
constexpr size_t kBodyReadBytes = 64 << 10;
// The buffer that a connection keeps while it waits for the next request.
constexpr size_t kIdleBufferBytes = 16 << 10;
// Bytes of a body that a connection may hold without a share of the budget.
constexpr size_t kBodyUncountedBytes = 64 << 10;

HttpResponse ForeignHost(std::string_view host) {
  return HttpResponse::JsonError(
      421, "misdirected_request",
      fmt::format("'{}' is not a name of this server, whose key everybody knows. Connect to "
                  "localhost or an IP address, or start it with --allowed-hosts {} or with a key "
                  "of your own and --auth required.",
                  host, HostOf(host)));
}

class Connection {
 public:
  Connection(Stream& stream, const HttpServerContext& context)
      : stream_(stream),
        context_(context),
        parser_(context.options.limits),
        slot_(std::make_shared<ResponseSlot>(stream.executor())),
        origin_(std::make_shared<RequestOrigin>(context.clock)),
        received_(context.requests),
        arrival_({.grace = context.options.read_timeout,
                  .bytes_per_second_min = context.options.read_bytes_per_second_min}) {
    stream_.OnAbort([slot = slot_, origin = origin_] {
      origin->Cancel(StopReason::kServerStopping);
      slot->Close();
    });
    stream_.OnHangUp([origin = origin_] { origin->Cancel(StopReason::kClientGone); });
  }
  ~Connection() {
    origin_->Cancel(stream_.draining() ? StopReason::kServerStopping : StopReason::kClientGone);
    slot_->Close();
    stream_.OnAbort(nullptr);
    stream_.OnHangUp(nullptr);
  }
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  awaitable<void> Run() {
    while (true) {
      switch (co_await ReadRequest()) {
        case ReadOutcome::kRequest:
          if (!co_await AnswerRequest()) co_return;
          break;
        case ReadOutcome::kRefused:
          co_await Refuse(parser_.refusal());
          co_return;
        case ReadOutcome::kTooSlow:
          co_await Refuse(HttpResponse::JsonError(408, "RequestTimeout",
                                                  "the request took too long to arrive"));
          co_return;
        case ReadOutcome::kNoMemory:
          co_await Refuse(HttpResponse::JsonError(
              503, "ServiceUnavailable",
              "the server has too many bytes of requests to answer; try again later"));
          co_return;
        case ReadOutcome::kGone:
          co_return;
      }
    }
  }

  // Returns the protocol that the last answer has handed the connection to; null when it is just
  // over.
  std::shared_ptr<HttpTakeover> TakeTakeover() { return std::move(takeover_); }
  ReadBuffer TakeBuffer() { return std::move(buffer_); }

 private:
  enum class ReadOutcome { kRequest, kRefused, kTooSlow, kNoMemory, kGone };

  awaitable<ReadOutcome> ReadRequest() {
    bool started = false;
    bool continued = false;
    size_t read_bytes = 0;
    while (true) {
      if (!buffer_.empty()) {
        const auto now = std::chrono::steady_clock::now();
        if (!std::exchange(started, true)) {
          stream_.SetIdle(false);
          arrival_.Start(now);
        } else {
          arrival_.Earn(now, read_bytes);
        }
        stream_.ExpireAt(arrival_.deadline());
        buffer_.Consume(parser_.Feed(buffer_.data()));
        if (parser_.state() == State::kDone) co_return ReadOutcome::kRequest;
        if (parser_.state() == State::kRefused) co_return ReadOutcome::kRefused;
        const size_t body_bytes = parser_.body_bytes();
        if (!received_.TryHold(body_bytes > kBodyUncountedBytes ? body_bytes : 0))
          co_return ReadOutcome::kNoMemory;
      } else if (!started) {
        buffer_.Shrink(kIdleBufferBytes);
        stream_.SetIdle(true);
        stream_.ExpireAfter(context_.options.idle_timeout);
      }
      const bool in_body = parser_.state() == State::kBody;
      if (in_body && parser_.expects_continue() && !std::exchange(continued, true)) {
        if (!co_await stream_.Write("HTTP/1.1 100 Continue\r\n\r\n")) co_return ReadOutcome::kGone;
      }
      const auto size =
          co_await stream_.ReadSome(buffer_.Prepare(in_body ? kBodyReadBytes : kHeaderReadBytes));
      if (!size) co_return started&& stream_.expired() ? ReadOutcome::kTooSlow : ReadOutcome::kGone;
      if (*size == 0) co_return ReadOutcome::kGone;
      read_bytes = *size;
      buffer_.Commit(*size);
    }
  }

  // False when the connection is over.
  awaitable<bool> AnswerRequest() {
    HttpResponseFraming framing{.keep_alive = parser_.keep_alive(),
                                .is_http_1_0 = parser_.is_http_1_0()};
    HttpRequest request = parser_.Take();
    request.tls = stream_.tls();
    request.is_http_1_0 = framing.is_http_1_0;
    request.peer = stream_.peer();
    request.context = NewContext();
    framing.head_request = request.method == "HEAD";

    stream_.NeverExpire();
    const std::string_view host = request.headers.Find("host").value_or("");
    if (context_.options.host_rule.Allows(host)) {
      CallHandler(std::move(request));
    } else {
      HttpResponder(slot_).Send(ForeignHost(host));
    }
    const std::optional<HttpResponse> response = co_await slot_->Take();
    if (!response) co_return false;
    received_.Hold(0);
    framing.upgrade = response->takeover != nullptr;
    framing.keep_alive = framing.keep_alive && !response->close && !stream_.draining();
    if (!co_await Write(*response, framing)) co_return false;
    if (framing.upgrade) {
      takeover_ = response->takeover;
      co_return false;
    }
    if (framing.keep_alive) co_return true;
    co_await stream_.Close(buffer_.empty() ? Stream::CloseMode::kAtOnce
                                           : Stream::CloseMode::kLinger);
    co_return false;
  }

  RequestContext NewContext() const {
    const auto timeout = context_.options.request_timeout;
    if (timeout.count() == 0) return RequestContext(origin_);
    return RequestContext(origin_, context_.clock.Monotonic() + timeout);
  }

  void CallHandler(HttpRequest request) {
    // If the handler throws, the responder it was given is destroyed and answers 500.
    try {
      context_.handler(std::move(request), HttpResponder(slot_));
    } catch (const std::exception& e) {
      LogError("a request handler threw: {}", e.what());
    } catch (...) {
      LogError("a request handler threw something that is no std::exception");
    }
  }

  awaitable<void> Refuse(const HttpResponse& response) {
    if (co_await Write(response, {.keep_alive = false}))
      co_await stream_.Close(Stream::CloseMode::kLinger);
  }

  awaitable<bool> Write(const HttpResponse& response, HttpResponseFraming framing) {
    const auto status_class = std::clamp(response.status / 100, 1, 5);
    context_.responses_by_class[static_cast<size_t>(status_class - 1)]->Add();
    framing.now = context_.clock.Now();
    const std::string head = FormatResponseHead(response, framing);
    stream_.ExpireAfter(context_.options.write_timeout);
    const Status written = co_await stream_.Write(
        head, HasBody(response, framing) ? std::string_view(response.body) : std::string_view());
    co_return written.has_value();
  }

  Stream& stream_;
  const HttpServerContext& context_;
  HttpRequestParser parser_;
  ReadBuffer buffer_;
  const std::shared_ptr<ResponseSlot> slot_;
  const std::shared_ptr<RequestOrigin> origin_;
  ByteShare received_;  // in which the body is counted
  ArrivalDeadline arrival_;
  std::shared_ptr<HttpTakeover> takeover_;
};

}  // namespace

awaitable<void> ServeHttp(Stream& stream, const HttpServerContext& context) {
  std::shared_ptr<HttpTakeover> takeover;
  ReadBuffer received;
  {
    Connection connection(stream, context);
    co_await connection.Run();
    takeover = connection.TakeTakeover();
    if (takeover) received = connection.TakeBuffer();
  }
  if (takeover) co_await takeover->Serve(stream, std::move(received));
}

}  // namespace orrery::net
