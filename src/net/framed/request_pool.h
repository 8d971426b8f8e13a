// A RequestPool keeps the pending requests of one session for reuse, so that a request costs no
// allocation of its own. A pending request is what must be remembered between a request's dispatch
// and its answer, since its own bytes are gone by then.
//
// Not thread-safe: the session's loop takes and gives back; meanwhile others may own a request.
#pragma once

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

namespace orrery::net {

template <typename Request>
class RequestPool {
 public:
  // A request as its last user left it: the caller sets every field.
  std::unique_ptr<Request> Take() {
    if (spare_.empty()) return std::make_unique<Request>();
    std::unique_ptr<Request> request = std::move(spare_.back());
    spare_.pop_back();
    return request;
  }
  // REQUIRES: it holds nothing that others wait for (shares of budgets, mailboxes).
  void GiveBack(std::unique_ptr<Request> request) {
    if (spare_.size() < kSpareMax) spare_.push_back(std::move(request));
  }

 private:
  static constexpr size_t kSpareMax = 64;

  std::vector<std::unique_ptr<Request>> spare_;
};

}  // namespace orrery::net
