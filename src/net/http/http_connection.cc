#include "net/http/http_connection.h"

#include <algorithm>
#include <exception>
#include <memory>
#include <optional>
#include <utility>

#include "base/log.h"
#include "net/http/http_request_parser.h"
#include "net/http/http_response_writer.h"
#include "net/http/response_slot.h"
#include "net/read_buffer.h"

namespace orrery::net {
namespace {

using boost::asio::awaitable;
using State = HttpRequestParser::State;

// Most requests fit into the first read; bodies are read in larger steps.
constexpr size_t kHeaderReadBytes = 4 << 10;
constexpr size_t kBodyReadBytes = 64 << 10;
// What a connection may keep while it waits for the next request.
constexpr size_t kIdleBufferBytes = 16 << 10;

class Connection {
 public:
  Connection(Stream& stream, const HttpServerContext& context)
      : stream_(stream),
        context_(context),
        parser_(context.options.limits),
        slot_(std::make_shared<ResponseSlot>(stream.executor())) {
    stream_.OnAbort([slot = slot_] { slot->Close(); });
  }
  ~Connection() {
    slot_->Close();
    stream_.OnAbort(nullptr);
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
        case ReadOutcome::kGone:
          co_return;
      }
    }
  }

 private:
  enum class ReadOutcome { kRequest, kRefused, kTooSlow, kGone };

  awaitable<ReadOutcome> ReadRequest() {
    bool started = false;
    bool continued = false;
    while (true) {
      if (!buffer_.empty()) {
        if (!std::exchange(started, true)) {
          stream_.SetIdle(false);
          stream_.ExpireAfter(context_.options.read_timeout);
        }
        buffer_.Consume(parser_.Feed(buffer_.data()));
        if (parser_.state() == State::kDone) co_return ReadOutcome::kRequest;
        if (parser_.state() == State::kRefused) co_return ReadOutcome::kRefused;
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
      buffer_.Commit(*size);
    }
  }

  // False when the connection is over.
  awaitable<bool> AnswerRequest() {
    HttpResponseFraming framing{.keep_alive = parser_.keep_alive(),
                                .is_http_1_0 = parser_.is_http_1_0()};
    HttpRequest request = parser_.Take();
    request.tls = stream_.tls();
    request.peer = stream_.peer();
    framing.head_request = request.method == "HEAD";

    stream_.NeverExpire();
    CallHandler(std::move(request));
    const std::optional<HttpResponse> response = co_await slot_->Take();
    if (!response) co_return false;
    framing.keep_alive = framing.keep_alive && !response->close && !stream_.draining();
    if (!co_await Write(*response, framing)) co_return false;
    if (framing.keep_alive) co_return true;
    co_await stream_.Close(buffer_.empty() ? Stream::CloseMode::kAtOnce
                                           : Stream::CloseMode::kLinger);
    co_return false;
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
};

}  // namespace

awaitable<void> ServeHttp(Stream& stream, const HttpServerContext& context) {
  Connection connection(stream, context);
  co_await connection.Run();
}

}  // namespace orrery::net
