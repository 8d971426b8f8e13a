#include "api/sql/evaluate/node/nodes.h"
#include "api/sql/function/argument.h"
#include "base/check.h"

namespace orrery::sql::node {
namespace {

class SlotNode final : public BoundExpression {
 public:
  explicit SlotNode(uint32_t slot) : slot_(slot) {}

  Result<const Value*> Evaluate(Frame& frame, Value&) const override {
    ORRERY_CHECK(slot_ < frame.slots.size());
    return frame.slots[slot_];
  }

 private:
  const uint32_t slot_;
};

class PropertyNode final : public BoundExpression {
 public:
  PropertyNode(BoundExpressionPtr object, std::string name)
      : object_(std::move(object)), name_(std::move(name)) {}

  Result<const Value*> Evaluate(Frame& frame, Value& scratch) const override {
    ORRERY_ASSIGN(const Value* object, object_->Evaluate(frame, scratch));
    const Value* found = object->Find(name_);
    return found == nullptr ? &kUndefined : found;
  }

 private:
  const BoundExpressionPtr object_;
  const std::string name_;
};

const Value* ElementAt(const Value& object, const Value& index) {
  if (const std::string* name = TextOf(index)) return object.Find(*name);
  const model::Values* elements = ArrayOf(object);
  const auto position = IntegerOf(index);
  if (elements == nullptr || !position || *position < 0) return nullptr;
  const auto at = static_cast<uint64_t>(*position);
  return at < elements->size() ? &(*elements)[at] : nullptr;
}

class IndexNode final : public BoundExpression {
 public:
  IndexNode(BoundExpressionPtr object, BoundExpressionPtr index)
      : object_(std::move(object)), index_(std::move(index)) {}

  Result<const Value*> Evaluate(Frame& frame, Value& scratch) const override {
    ORRERY_ASSIGN(const Value* object, object_->Evaluate(frame, scratch));
    Value index_scratch;
    ORRERY_ASSIGN(const Value* index, index_->Evaluate(frame, index_scratch));
    const Value* found = ElementAt(*object, *index);
    return found == nullptr ? &kUndefined : found;
  }

 private:
  const BoundExpressionPtr object_;
  const BoundExpressionPtr index_;
};

}  // namespace

BoundExpressionPtr Slot(uint32_t slot) { return std::make_unique<SlotNode>(slot); }

BoundExpressionPtr Property(BoundExpressionPtr object, std::string name) {
  return std::make_unique<PropertyNode>(std::move(object), std::move(name));
}

BoundExpressionPtr Index(BoundExpressionPtr object, BoundExpressionPtr index) {
  return std::make_unique<IndexNode>(std::move(object), std::move(index));
}

}  // namespace orrery::sql::node
