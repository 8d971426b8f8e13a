// A HandlerTable says which handler does what, for an API whose requests are distinguished by a few
// values (the type of a resource and an action, say) rather than by patterns of paths
// (path_router.h).
//
// Filled at start, then read by any thread.
#pragma once

#include <map>
#include <tuple>
#include <utility>

#include "base/thread_pool.h"
#include "net/http/dispatch/http_call.h"

namespace orrery::net {

template <typename Call, typename... Keys>
class HandlerTable {
 public:
  // The last one added for the same keys counts.
  void Add(Keys... keys, CallHandler<Call> handler) {
    handlers_.insert_or_assign(std::tuple(keys...), std::move(handler));
  }
  // A handler that may block: it runs on the pool, which must outlive the table.
  template <typename Work>
  void AddBlocking(ThreadPool& pool, Keys... keys, Work work) {
    Add(keys..., [&pool, work = std::move(work)](Call call) {
      AnswerFromPool(pool, std::move(call), work);
    });
  }

  // Null when nothing does it.
  const CallHandler<Call>* Find(Keys... keys) const {
    const auto found = handlers_.find(std::tuple(keys...));
    return found == handlers_.end() ? nullptr : &found->second;
  }

 private:
  std::map<std::tuple<Keys...>, CallHandler<Call>> handlers_;
};

}  // namespace orrery::net
