// An HttpCall is one request on its way through a handler, with its one chance to be answered. APIs
// derive from it what they have read in the request already.
//
// A handler takes a call on an event loop and must not block: it answers at once, or hands the call
// to a pool by AnswerFromPool.
#pragma once

#include <functional>
#include <memory>
#include <utility>

#include "base/request_context.h"
#include "base/status.h"
#include "base/thread_pool.h"
#include "net/http/http_message.h"
#include "net/http/http_responder.h"

namespace orrery::net {

struct HttpCall {
  HttpRequest request;
  HttpResponder responder;

  // The context that says when to stop working on it.
  const RequestContext& context() const { return request.context; }
};

template <typename Call>
using CallHandler = std::function<void(Call)>;

// Runs `work`, which may block, on the pool and answers with what it returns. Nothing is done for a
// client that has gone before its turn came, nor when the pool is full: kCancelled, kOverloaded.
//
//   Call   has context(), as HttpCall; void Answer(Call&, O) is found beside it, where O is what
//          `work` returns and an Error converts to
//   Work   O(Call&) or O(const Call&), callable after the caller has returned
template <typename Call, typename Work>
void AnswerFromPool(ThreadPool& pool, Call call, Work work) {
  // Shared, so that the call survives a pool that does not take the task.
  const auto shared = std::make_shared<Call>(std::move(call));
  const bool taken = pool.Submit([shared, work = std::move(work)]() mutable {
    if (Status wanted = shared->context().Check(); !wanted.has_value()) {
      Answer(*shared, Fail(std::move(wanted).error()));
    } else {
      Answer(*shared, work(*shared));
    }
  });
  if (!taken) {
    Answer(*shared,
           Fail(Code::kOverloaded, "too many requests are waiting for the disk; try again soon"));
  }
}

}  // namespace orrery::net
