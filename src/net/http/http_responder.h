// A handler's one chance to answer one request.
//
// Move-only. Send() may be called from any thread, at once or much later; a responder that is
// destroyed without having sent answers 500, so that no client waits for an answer that nobody
// will give. A responder may outlive its connection and its server: the answer is then dropped.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <utility>

#include "base/check.h"
#include "net/http/http_message.h"

namespace orrery::net {

class HttpResponder {
 public:
  // A Sink takes the answer. The server has its own; tests of handlers bring theirs.
  class Sink {
   public:
    virtual ~Sink() = default;
    // Called exactly once for each responder made on this sink, from any thread.
    virtual void Deliver(HttpResponse response) = 0;
  };

  explicit HttpResponder(std::shared_ptr<Sink> sink) : sink_(std::move(sink)) {}
  HttpResponder(HttpResponder&&) noexcept = default;
  HttpResponder& operator=(HttpResponder&& other) noexcept {
    if (this != &other) {
      Drop();
      sink_ = std::move(other.sink_);
    }
    return *this;
  }
  ~HttpResponder() { Drop(); }

  // REQUIRES: not called before on this responder, which was not moved from.
  void Send(HttpResponse response) {
    ORRERY_CHECK(sink_ != nullptr);
    std::exchange(sink_, nullptr)->Deliver(std::move(response));
  }

 private:
  void Drop() {
    if (sink_)
      Send(HttpResponse::JsonError(500, "InternalServerError",
                                   "the request was dropped unanswered"));
  }

  std::shared_ptr<Sink> sink_;
};

// Answers requests. Runs on an event loop, so it must not block: it answers at once, or hands
// request and responder to a thread pool. Called for several connections at a time from several
// threads, for one connection one after the other.
using HttpHandler = std::function<void(HttpRequest, HttpResponder)>;

// Looks at a request whose body has not come yet, and returns the answer if the request is to be
// refused whatever its body says: the same answer that the handler would give. Runs on an event
// loop before large bodies are received, and must not block.
using HttpAdmission = std::function<std::optional<HttpResponse>(const HttpRequest& head)>;

// Returns what `answer`, which is given a responder and must use or drop it before it returns, has
// sent.
HttpResponse AnswerOf(const std::function<void(HttpResponder)>& answer);

}  // namespace orrery::net
