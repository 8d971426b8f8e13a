#include "api/mongo/language/match/owner_filter.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "api/mongo/language/match/match_node.h"
#include "api/mongo/language/match/value_predicate.h"
#include "api/mongo/language/value/field_path.h"
#include "model/value_size.h"

namespace orrery::mongo {
namespace {

using model::Kind;
using model::Operator;
using model::Value;

// The bounds of what is sent with each page of a scan.
constexpr size_t kOwnerNodesMax = 4'000;
constexpr size_t kOwnerLiteralBytesMax = size_t{64} << 10;

// Builds expressions of the nodes of a filter.
class OwnerFilterBuilder {
 public:
  explicit OwnerFilterBuilder(bool is_collated) : is_collated_(is_collated) {}

  // An expression that is true of exactly the documents that the node matches.
  std::optional<model::Expression> Exactly(const MatchNode& node) {
    if (const auto* all = dynamic_cast<const AndNode*>(&node))
      return Join(Operator::kAnd, all->children());
    if (const auto* any = dynamic_cast<const OrNode*>(&node))
      return Join(Operator::kOr, any->children());
    if (const auto* inverse = dynamic_cast<const NotNode*>(&node)) {
      auto child = Exactly(inverse->child());
      if (!child.has_value()) return std::nullopt;
      return Apply(Operator::kNot, {*std::move(child)});
    }
    if (const auto* constant = dynamic_cast<const ConstantNode*>(&node))
      return model::Expression::Literal(Value::Bool(constant->matches()));
    if (const auto* at = dynamic_cast<const PathNode*>(&node)) return Test(at->path(), at->test());
    return std::nullopt;
  }

  // The conjuncts of the filter that have such an expression. Returns whether all have.
  bool AddConjuncts(const MatchNode& node, std::vector<model::Expression>& found) {
    if (const auto* all = dynamic_cast<const AndNode*>(&node)) {
      bool is_whole = true;
      for (const MatchNodePtr& child : all->children())
        is_whole = AddConjuncts(*child, found) && is_whole;
      return is_whole;
    }
    auto expression = Exactly(node);
    if (!expression.has_value()) return false;
    found.push_back(*std::move(expression));
    return true;
  }

  bool is_too_large() const {
    return nodes_ > kOwnerNodesMax || literal_bytes_ > kOwnerLiteralBytesMax;
  }

  std::optional<model::Expression> Apply(Operator op, std::vector<model::Expression> operands) {
    ++nodes_;
    auto applied = model::Expression::Apply(op, std::move(operands));
    if (!applied.has_value()) return std::nullopt;
    return *std::move(applied);
  }

 private:
  std::optional<model::Expression> Join(Operator op, const MatchNodes& children) {
    std::vector<model::Expression> operands;
    for (const MatchNodePtr& child : children) {
      auto expression = Exactly(*child);
      if (!expression.has_value()) return std::nullopt;
      operands.push_back(*std::move(expression));
    }
    if (operands.empty()) return model::Expression::Literal(Value::Bool(op == Operator::kAnd));
    if (operands.size() == 1) return std::move(operands.front());
    return Apply(op, std::move(operands));
  }

  // Strings within other values would have to be collated, too.
  bool IsUsable(const Value& value) const {
    if (!is_collated_) return true;
    switch (value.kind()) {
      case Kind::kString:
      case Kind::kSymbol:
      case Kind::kArray:
      case Kind::kObject:
        return false;
      default:
        return true;
    }
  }

  model::Expression LiteralOf(const Value& value) {
    ++nodes_;
    literal_bytes_ += model::ApproximateBytes(value);
    return model::Expression::Literal(value);
  }

  std::optional<model::Expression> Test(const FieldPath& path, const ValuePredicate& test) {
    // An element that is asked for by its index is met in another way.
    if (std::ranges::any_of(path.steps, [](const std::string& step) {
          return step.empty() || IndexOfStep(step).has_value();
        }))
      return std::nullopt;
    std::vector<model::Expression> operands = {
        model::Expression::Reference(model::Path(path.steps))};
    ++nodes_;
    if (const auto* comparison = dynamic_cast<const ComparisonTest*>(&test)) {
      if (!IsUsable(comparison->value())) return std::nullopt;
      operands.push_back(LiteralOf(comparison->value()));
      return Apply(OperatorOf(comparison->comparison()), std::move(operands));
    }
    if (const auto* in = dynamic_cast<const InTest*>(&test)) {
      const auto usable = [&](const Value& value) { return IsUsable(value); };
      if (!in->patterns().empty() || !std::ranges::all_of(in->values(), usable))
        return std::nullopt;
      for (const Value& value : in->values()) operands.push_back(LiteralOf(value));
      return Apply(Operator::kMongoIn, std::move(operands));
    }
    if (dynamic_cast<const ExistsTest*>(&test) != nullptr)
      return Apply(Operator::kMongoExists, std::move(operands));
    if (const auto* size = dynamic_cast<const SizeTest*>(&test)) {
      operands.push_back(LiteralOf(Value::Int64(size->size())));
      return Apply(Operator::kMongoSize, std::move(operands));
    }
    if (const auto* type = dynamic_cast<const TypeTest*>(&test);
        type != nullptr && type->leaf_arrays() == LeafArrays::kEach) {
      for (const uint8_t each : type->bson_types())
        operands.push_back(LiteralOf(Value::Int32(each)));
      return Apply(Operator::kMongoType, std::move(operands));
    }
    return std::nullopt;
  }

  static Operator OperatorOf(query::Comparison comparison) {
    switch (comparison) {
      case query::Comparison::kEqual:
        return Operator::kMongoEqual;
      case query::Comparison::kLess:
        return Operator::kMongoLess;
      case query::Comparison::kLessOrEqual:
        return Operator::kMongoLessOrEqual;
      case query::Comparison::kGreater:
        return Operator::kMongoGreater;
      case query::Comparison::kGreaterOrEqual:
        return Operator::kMongoGreaterOrEqual;
    }
    return Operator::kMongoEqual;
  }

  const bool is_collated_;
  size_t nodes_ = 0;
  size_t literal_bytes_ = 0;
};

}  // namespace

OwnerFilter OwnerFilterOf(const Matcher* filter) {
  OwnerFilter owner{.expression = nullptr, .is_whole = true};
  if (filter == nullptr) return owner;
  OwnerFilterBuilder builder(filter->context().collator != nullptr);
  std::vector<model::Expression> found;
  owner.is_whole = builder.AddConjuncts(filter->root(), found);
  if (found.empty()) return owner;
  std::optional<model::Expression> expression;
  if (found.size() == 1) {
    expression = std::move(found.front());
  } else {
    expression = builder.Apply(Operator::kAnd, std::move(found));
  }
  if (!expression.has_value() || builder.is_too_large()) return {};
  owner.expression = std::make_shared<const model::Expression>(*std::move(expression));
  return owner;
}

}  // namespace orrery::mongo
