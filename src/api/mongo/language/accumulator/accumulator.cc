#include "api/mongo/language/accumulator/accumulator.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <functional>
#include <map>

#include "api/mongo/language/value/bson_type_name.h"
#include "model/value_size.h"

namespace orrery::mongo {

using model::Kind;
using model::Value;
using model::Values;

namespace {

// $push.
class PushAccumulator final : public Accumulator {
 public:
  Outcome Add(Value value) override {
    if (value.is_undefined()) return {};
    bytes_ += model::ApproximateBytes(value);
    values_.push_back(std::move(value));
    return {};
  }
  Answer<Value> Result() const override { return Value::Array(values_); }
  size_t bytes() const override { return bytes_; }

 private:
  Values values_;
  size_t bytes_ = 64;
};

class SetAccumulator final : public Accumulator {
 public:
  explicit SetAccumulator(std::shared_ptr<const Collator> collator)
      : collator_(std::move(collator)), values_(Less{collator_.get()}) {}
  Outcome Add(Value value) override {
    if (value.is_undefined()) return {};
    const size_t bytes = model::ApproximateBytes(value);
    if (values_.insert(std::move(value)).second) bytes_ += bytes;
    return {};
  }
  Answer<Value> Result() const override {
    return Value::Array(Values(values_.begin(), values_.end()));
  }
  size_t bytes() const override { return bytes_; }

 private:
  struct Less {
    const Collator* collator;
    bool operator()(const Value& a, const Value& b) const {
      return CompareValues(a, b, collator) < 0;
    }
  };
  std::shared_ptr<const Collator> collator_;
  std::set<Value, Less> values_;
  size_t bytes_ = 64;
};

class EndAccumulator final : public Accumulator {
 public:
  explicit EndAccumulator(bool is_first) : is_first_(is_first) {}
  Outcome Add(Value value) override {
    if (is_first_ && has_value_) return {};
    value_ = std::move(value);
    has_value_ = true;
    return {};
  }
  Answer<Value> Result() const override { return value_.is_undefined() ? Value::Null() : value_; }

 private:
  bool is_first_;
  bool has_value_ = false;
  Value value_;
};

class MergeAccumulator final : public Accumulator {
 public:
  Outcome Add(Value value) override {
    if (IsNullish(value)) return {};
    if (value.kind() != Kind::kObject) {
      return Refuse(40400, fmt::format("$mergeObjects requires object inputs, but input {} is of "
                                       "type {}",
                                       "", BsonTypeName(value.kind())));
    }
    for (const model::Field& field : value.AsFields()) {
      const auto same = std::ranges::find(fields_, field.name, &model::Field::name);
      if (same == fields_.end()) {
        fields_.push_back(field);
      } else {
        same->value = field.value;
      }
    }
    return {};
  }
  Answer<Value> Result() const override { return Value::Object(fields_); }
  size_t bytes() const override { return 64 * (fields_.size() + 1); }

 private:
  model::Fields fields_;
};

struct AccumulatorMaker {
  std::function<std::unique_ptr<Accumulator>(const std::shared_ptr<const Collator>&)> make;
  std::optional<model::AggregateOperator> owner_operator = {};
};

const std::map<std::string, AccumulatorMaker, std::less<>>& SimpleAccumulators() {
  using CollatorRef = const std::shared_ptr<const Collator>&;
  using model::AggregateOperator;
  static const std::map<std::string, AccumulatorMaker, std::less<>> makers = {
      {"$sum", {[](CollatorRef) { return MakeSum(); }, AggregateOperator::kMongoSum}},
      {"$avg", {[](CollatorRef) { return MakeAverage(); }, AggregateOperator::kMongoAverage}},
      {"$min",
       {[](CollatorRef collator) { return MakeExtreme(false, collator); },
        AggregateOperator::kMongoMin}},
      {"$max",
       {[](CollatorRef collator) { return MakeExtreme(true, collator); },
        AggregateOperator::kMongoMax}},
      {"$stdDevPop", {[](CollatorRef) { return MakeDeviation(false); }}},
      {"$stdDevSamp", {[](CollatorRef) { return MakeDeviation(true); }}},
      {"$push", {[](CollatorRef) { return std::make_unique<PushAccumulator>(); }}},
      {"$addToSet",
       {[](CollatorRef collator) { return std::make_unique<SetAccumulator>(collator); }}},
      {"$first", {[](CollatorRef) { return std::make_unique<EndAccumulator>(true); }}},
      {"$last", {[](CollatorRef) { return std::make_unique<EndAccumulator>(false); }}},
      {"$mergeObjects", {[](CollatorRef) { return std::make_unique<MergeAccumulator>(); }}},
  };
  return makers;
}

class SimpleSpec final : public AccumulatorSpec {
 public:
  SimpleSpec(const AccumulatorMaker& maker, ExpressionPtr expression,
             std::shared_ptr<const Collator> collator)
      : maker_(maker), expression_(std::move(expression)), collator_(std::move(collator)) {}
  std::unique_ptr<Accumulator> Make() const override { return maker_.make(collator_); }
  Answer<Value> Evaluate(Evaluation& evaluation) const override {
    return expression_->Evaluate(evaluation);
  }
  std::optional<model::AggregateOperator> owner_operator() const override {
    return maker_.owner_operator;
  }
  const Expression* argument() const override { return expression_.get(); }

 private:
  const AccumulatorMaker& maker_;
  ExpressionPtr expression_;
  std::shared_ptr<const Collator> collator_;
};

constexpr std::array<std::string_view, 10> kListAccumulators = {
    "$firstN", "$lastN", "$maxN",    "$minN",       "$top",
    "$bottom", "$topN",  "$bottomN", "$percentile", "$median"};

}  // namespace

bool IsAccumulatorName(std::string_view name) {
  return name == "$count" || SimpleAccumulators().contains(name) ||
         std::ranges::find(kListAccumulators, name) != kListAccumulators.end();
}

Answer<AccumulatorSpecPtr> ParseAccumulator(ExpressionParser& parser, const std::string& name,
                                            const Value& argument) {
  const auto& makers = SimpleAccumulators();
  if (name == "$count") {
    if (argument.kind() != Kind::kObject || !argument.AsFields().empty()) {
      return Refuse(ErrorCode::kTypeMismatch, "$count takes no arguments, i.e. $count:{}");
    }
    return std::make_shared<SimpleSpec>(makers.at("$sum"), ConstantExpression(Value::Int32(1)),
                                        nullptr);
  }
  if (const auto found = makers.find(name); found != makers.end()) {
    if (argument.kind() == Kind::kArray && argument.AsValues().size() != 1) {
      return Refuse(40237, fmt::format("The {} accumulator is a unary operator", name));
    }
    const Value& operand = argument.kind() == Kind::kArray ? argument.AsValues().front() : argument;
    MONGO_ASSIGN(ExpressionPtr expression, parser.Parse(operand));
    return std::make_shared<SimpleSpec>(found->second, std::move(expression),
                                        parser.context().collator);
  }
  if (name == "$accumulator") return ParseScriptAccumulator(parser, argument);
  if (IsAccumulatorName(name)) return ParseListAccumulator(parser, name, argument);
  return Refuse(15952, fmt::format("unknown group operator '{}'", name));
}

}  // namespace orrery::mongo
