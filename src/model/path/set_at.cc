#include "model/path/set_at.h"

#include <algorithm>
#include <utility>

namespace orrery::model {

void SetAt(Value& object, std::span<const std::string> steps, Value value) {
  Fields& fields = object.MutableFields();
  auto found = std::ranges::find(fields, steps.front(), &Field::name);
  if (found == fields.end()) {
    fields.push_back({steps.front(), Value::Object({})});
    found = fields.end() - 1;
  }
  if (steps.size() == 1) {
    found->value = std::move(value);
  } else if (found->value.kind() == Kind::kObject) {
    SetAt(found->value, steps.subspan(1), std::move(value));
  }
}

}  // namespace orrery::model
