#include "net/http/http_connection.h"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <memory>
#include <optional>
#include <utility>

#include "base/log.h"
#include "net/arrival_deadline.h"
#include "net/http/cut_connection.h"
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
// Bytes of a request that a connection may hold without a share of the budget: what every
// connection is counted with (ClientBudget::OfConnection).
constexpr size_t kUncountedBytes = 4 << 10;
// Answers that are larger are refused when there is no room for them. The rest is counted only.
constexpr size_t kSmallAnswerBytes = 64 << 10;
// The piece that must be written within the write time-out.
constexpr size_t kWritePieceBytes = 256 << 10;

HttpResponse ForeignHost(std::string_view host) {
  return HttpResponse::JsonError(
      421, "misdirected_request",
      fmt::format("'{}' is not a name of this server, whose key everybody knows. Connect to "
                  "localhost or an IP address, or start it with --allowed-hosts {} or with a key "
                  "of your own and --auth required.",
                  host, HostOf(host)));
}

HttpResponse TooManyBytes(std::string_view what) {
  HttpResponse response = HttpResponse::JsonError(
      503, "ServiceUnavailable",
      fmt::format("the server has too many bytes of {}; try again later", what));
  response.headers.Add("Retry-After", "1");
  return response;
}

class Connection {
 public:
  Connection(Stream& stream, const HttpServerContext& context)
      : stream_(stream),
        context_(context),
        parser_(context.options.limits),
        slot_(std::make_shared<ResponseSlot>(stream.executor())),
        origin_(std::make_shared<RequestOrigin>(context.clock)),
        bytes_(ClientBudget::OfConnection(stream.client_bytes(), context.requests)),
        received_(bytes_),
        unsent_(bytes_),
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
        case ReadOutcome::kNotAdmitted:
          co_await Refuse(*refusal_);
          co_return;
        case ReadOutcome::kTooSlow:
          co_await Refuse(HttpResponse::JsonError(408, "RequestTimeout",
                                                  "the request took too long to arrive"));
          co_return;
        case ReadOutcome::kNoMemory:
          co_await Refuse(TooManyBytes("requests to answer"));
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
  enum class ReadOutcome { kRequest, kRefused, kNotAdmitted, kTooSlow, kNoMemory, kGone };

  awaitable<ReadOutcome> ReadRequest() {
    bool started = false;
    bool admitted = false;
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
        if (parser_.state() == State::kBody && !admitted &&
            (parser_.expects_continue() || parser_.expected_bytes() > kAdmittedBodyBytesMax)) {
          admitted = true;
          refusal_ = Refusal();
          if (refusal_) co_return ReadOutcome::kNotAdmitted;
        }
        const size_t bytes = parser_.body_bytes() + buffer_.data().size();
        if (!received_.TryHold(bytes > kUncountedBytes ? bytes : 0))
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

  // Returns the answer to a request that is refused whatever its body says.
  std::optional<HttpResponse> Refusal() const {
    HttpRequest head = parser_.head();
    head.tls = stream_.tls();
    head.peer = stream_.peer();
    const std::string_view host = head.headers.Find("host").value_or("");
    if (!context_.options.host_rule.Allows(host)) return ForeignHost(host);
    if (!context_.options.admission) return std::nullopt;
    try {
      return context_.options.admission(head);
    } catch (const std::exception& e) {
      LogError("the admission of a request threw: {}", e.what());
    }
    return HttpResponse::JsonError(500, "InternalServerError", "the request was dropped");
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

    stream_.CountRequest();
    stream_.SetBusy(true);
    stream_.NeverExpire();
    const std::string_view host = request.headers.Find("host").value_or("");
    if (!context_.options.host_rule.Allows(host)) {
      HttpResponder(slot_).Send(ForeignHost(host));
    } else if (answer_bytes_ > kSmallAnswerBytes && bytes_->tight()) {
      // The work would probably be for nothing.
      answer_bytes_ = 0;
      HttpResponder(slot_).Send(TooManyBytes("answers that clients have not read"));
    } else {
      CallHandler(std::move(request));
    }
    std::optional<HttpResponse> response = co_await slot_->Take();
    if (!response || response->status == kCutStatus) co_return false;
    received_.Hold(0);
    answer_bytes_ = response->body.size();
    if (answer_bytes_ > kSmallAnswerBytes && !unsent_.TryHold(answer_bytes_))
      response = TooManyBytes("answers that clients have not read");
    framing.upgrade = response->takeover != nullptr;
    framing.keep_alive =
        framing.keep_alive && !response->close && !stream_.draining() && !stream_.is_reserve();
    if (!co_await Write(*response, framing)) co_return false;
    unsent_.Hold(0);
    stream_.SetBusy(false);
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
    // The client may take its time to hear it.
    parser_.DropBody();
    received_.Hold(0);
    if (co_await Write(response, {.keep_alive = false}))
      co_await stream_.Close(Stream::CloseMode::kLinger);
  }

  awaitable<bool> Write(const HttpResponse& response, HttpResponseFraming framing) {
    const auto status_class = std::clamp(response.status / 100, 1, 5);
    context_.responses_by_class[static_cast<size_t>(status_class - 1)]->Add();
    framing.now = context_.clock.Now();
    const std::string head = FormatResponseHead(response, framing);
    std::string_view body;
    if (HasBody(response, framing)) body = response.body;
    std::string_view first = head;
    stream_.SetStalled(body.size() > kSmallAnswerBytes);
    bool written = true;
    do {
      stream_.ExpireAfter(context_.options.write_timeout);
      const std::string_view piece = body.substr(0, kWritePieceBytes);
      const Status sent = co_await stream_.Write(first, piece);
      written = sent.has_value();
      body.remove_prefix(piece.size());
      first = {};
      if (!body.empty()) stream_.SetStalled(true);
    } while (written && !body.empty());
    stream_.SetStalled(false);
    co_return written;
  }

  Stream& stream_;
  const HttpServerContext& context_;
  HttpRequestParser parser_;
  ReadBuffer buffer_;
  const std::shared_ptr<ResponseSlot> slot_;
  const std::shared_ptr<RequestOrigin> origin_;
  const std::shared_ptr<ByteBudget> bytes_;
  ByteShare received_;                   // in which the body is counted
  ByteShare unsent_;                     // in which the answer is
  size_t answer_bytes_ = 0;              // of the last
  std::optional<HttpResponse> refusal_;  // of a request that was not admitted
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
