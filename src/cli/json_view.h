// Looks into the server's JSON answers without asking at each step whether the field is there: what
// is missing, or of another type, is empty or zero. For printing only.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/value.h"

namespace orrery::cli {

class JsonView {
 public:
  // `value` may be null and must outlive the view.
  explicit JsonView(const model::Value* value) : value_(value) {}

  // A path of names: view["throughput"]["manual"].
  JsonView operator[](std::string_view name) const;

  bool present() const {
    return value_ != nullptr && !value_->is_null() && !value_->is_undefined();
  }
  bool Bool() const { return value_ != nullptr && Text() == "true"; }
  double Number() const;
  std::string Text() const;  // a string as it is, anything else as JSON
  std::vector<JsonView> Elements() const;

 private:
  const model::Value* value_;
};

}  // namespace orrery::cli
