#include <string_view>
#include <unordered_map>

#include "api/sql/evaluate/node/nodes.h"
#include "api/sql/function/limits.h"
#include "api/sql/function/value_size.h"
#include "base/check.h"

namespace orrery::sql::node {
namespace {

// Counts what goes into one array or object, before it is copied there.
class SizeGuard {
 public:
  Status Add(size_t bytes) {
    bytes_ += bytes;
    if (bytes_ > kResultArrayBytesMax)
      return Fail(Code::kTooLarge, "an array or object that the query makes exceeds 8 MB");
    return {};
  }

 private:
  size_t bytes_ = 0;
};

class ArrayNode final : public BoundExpression {
 public:
  explicit ArrayNode(Nodes elements) : elements_(std::move(elements)) {}

  Result<const Value*> Evaluate(Frame& frame, Value& scratch) const override {
    SizeGuard guard;
    model::Values made;
    made.reserve(elements_.size());
    for (const BoundExpressionPtr& element : elements_) {
      Value element_scratch;
      ORRERY_ASSIGN(const Value* value, element->Evaluate(frame, element_scratch));
      if (value->is_undefined()) continue;
      ORRERY_TRY(guard.Add(ApproximateBytes(*value)));
      made.push_back(Take(value, element_scratch));
    }
    scratch = Value::Array(std::move(made));
    return &scratch;
  }

 private:
  const Nodes elements_;
};

struct NamedNode {
  std::string name;
  BoundExpressionPtr value;
};

class ObjectNode final : public BoundExpression {
 public:
  explicit ObjectNode(std::vector<NamedNode> properties) : properties_(std::move(properties)) {}

  Result<const Value*> Evaluate(Frame& frame, Value& scratch) const override {
    SizeGuard guard;
    model::Fields made;
    made.reserve(properties_.size());
    for (const NamedNode& property : properties_) {
      Value value_scratch;
      ORRERY_ASSIGN(const Value* value, property.value->Evaluate(frame, value_scratch));
      if (value->is_undefined()) continue;
      ORRERY_TRY(guard.Add(property.name.size() + ApproximateBytes(*value)));
      made.push_back({property.name, Take(value, value_scratch)});
    }
    scratch = Value::Object(std::move(made));
    return &scratch;
  }

 private:
  const std::vector<NamedNode> properties_;
};

}  // namespace

BoundExpressionPtr Array(Nodes elements) {
  return std::make_unique<ArrayNode>(std::move(elements));
}

BoundExpressionPtr Object(std::vector<std::string> names, Nodes values) {
  ORRERY_CHECK(names.size() == values.size());
  std::vector<NamedNode> properties;
  std::unordered_map<std::string_view, size_t> places;  // of names, which stay until the end
  for (size_t i = 0; i < names.size(); ++i) {
    const auto [place, is_new] = places.try_emplace(names[i], properties.size());
    if (is_new)
      properties.push_back({names[i], std::move(values[i])});
    else
      properties[place->second].value = std::move(values[i]);
  }
  return std::make_unique<ObjectNode>(std::move(properties));
}

}  // namespace orrery::sql::node
