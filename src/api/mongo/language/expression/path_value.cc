#include "api/mongo/language/expression/path_value.h"

#include <utility>

#include "model/match/mongo_value.h"

namespace orrery::mongo {

using model::DocumentView;
using model::Kind;
using model::Value;
using model::Values;

Value ValueAtPath(DocumentView document, std::span<const std::string> steps) {
  return model::MongoValueAt(document, steps);
}

Value ValueAtPath(const Value& value, std::span<const std::string> steps) {
  const Value* at = &value;
  while (!steps.empty()) {
    if (at->kind() == Kind::kArray) {
      Values found;
      for (const Value& inner : at->AsValues()) {
        if (inner.kind() != Kind::kObject) continue;
        Value result = ValueAtPath(inner, steps);
        if (!result.is_undefined()) found.push_back(std::move(result));
      }
      return Value::Array(std::move(found));
    }
    at = at->Find(steps.front());
    if (at == nullptr) return Value::Undefined();
    steps = steps.subspan(1);
  }
  return *at;
}

}  // namespace orrery::mongo
