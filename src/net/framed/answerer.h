// An Answerer is a pending request's one chance to be answered, from any thread. Dropped without a
// call, it answers with an error: no client waits for ever because of a bug.
//
//   Request   has a `mailbox`, a shared pointer to something with
//             Deliver(std::unique_ptr<Request>, Answer), and
//             static Answer Dropped(), the error for those that were forgotten
//
// Move-only. May outlive connection, server and loop: the answer is dropped then.
#pragma once

#include <memory>
#include <utility>

#include "base/check.h"

namespace orrery::net {

template <typename Request, typename Answer>
class Answerer {
 public:
  explicit Answerer(std::unique_ptr<Request> request) : request_(std::move(request)) {}
  Answerer(Answerer&&) noexcept = default;
  Answerer& operator=(Answerer&&) = delete;
  ~Answerer() {
    if (request_) (*this)(Request::Dropped());
  }

  // REQUIRES: not called before.
  void operator()(Answer answer) {
    ORRERY_CHECK(request_ != nullptr);
    // Taken from the request, which may go while the mailbox is at work.
    const auto mailbox = std::move(request_->mailbox);
    mailbox->Deliver(std::move(request_), std::move(answer));
  }

 private:
  std::unique_ptr<Request> request_;
};

}  // namespace orrery::net
