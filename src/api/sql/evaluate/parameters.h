// The values that came with a query's text, by name.
//
// Names have their "@", as in a request. A query may name one large value thousands of times, so
// expressions share the values instead of copying them.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "model/value.h"

namespace orrery::sql {

class Parameters {
 public:
  // Of a name that was given twice the last value counts.
  void Set(std::string_view name, model::Value value) {
    values_.insert_or_assign(std::string(name),
                             std::make_shared<const model::Value>(std::move(value)));
  }

  // Null when none of that name was given.
  std::shared_ptr<const model::Value> Find(std::string_view name) const {
    const auto found = values_.find(name);
    return found == values_.end() ? nullptr : found->second;
  }

  // Names without a value are taken for values that will be known later: plans are made before.
  void AllowMissing() { may_miss_ = true; }
  bool may_miss() const { return may_miss_; }

  // By name.
  const std::map<std::string, std::shared_ptr<const model::Value>, std::less<>>& values() const {
    return values_;
  }

 private:
  std::map<std::string, std::shared_ptr<const model::Value>, std::less<>> values_;
  bool may_miss_ = false;
};

}  // namespace orrery::sql
