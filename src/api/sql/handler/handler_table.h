// Which handler does what: one for each type of resource and action.
//
// Filled at start, then read by any thread.
#pragma once

#include <map>
#include <utility>

#include "api/sql/handler/call.h"

namespace orrery::sql {

class HandlerTable {
 public:
  // The last one added for a type and action counts.
  void Add(ResourceType type, Action action, Handler handler) {
    handlers_.insert_or_assign({type, action}, std::move(handler));
  }
  // A handler that may block: it runs on the pool, which must outlive the table.
  void AddBlocking(ThreadPool& pool, ResourceType type, Action action,
                   std::function<Answered<Reply>(const Call&)> work) {
    Add(type, action, [&pool, work = std::move(work)](Call call) {
      AnswerFromPool(pool, std::move(call), work);
    });
  }

  // Null when nothing does it.
  const Handler* Find(ResourceType type, Action action) const {
    const auto found = handlers_.find({type, action});
    return found == handlers_.end() ? nullptr : &found->second;
  }

 private:
  std::map<std::pair<ResourceType, Action>, Handler> handlers_;
};

}  // namespace orrery::sql
