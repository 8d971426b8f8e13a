#include "api/mongo/catalog/partial_filter.h"

#include <optional>
#include <utility>
#include <vector>

#include "api/mongo/language/match/match_node.h"
#include "api/mongo/language/match/matcher.h"
#include "api/mongo/language/value/print.h"
#include "model/path/path.h"

namespace orrery::mongo {
namespace {

model::Operator OperatorOf(query::Comparison comparison) {
  switch (comparison) {
    case query::Comparison::kLess:
      return model::Operator::kMongoLess;
    case query::Comparison::kLessOrEqual:
      return model::Operator::kMongoLessOrEqual;
    case query::Comparison::kGreater:
      return model::Operator::kMongoGreater;
    case query::Comparison::kGreaterOrEqual:
      return model::Operator::kMongoGreaterOrEqual;
    default:
      return model::Operator::kMongoEqual;
  }
}

// Nullopt for what a partial index cannot have.
std::optional<model::Expression> ExpressionOf(const MatchNode& node);

std::optional<model::Expression> Joined(model::Operator op, const MatchNodes& children) {
  std::vector<model::Expression> operands;
  for (const MatchNodePtr& child : children) {
    auto operand = ExpressionOf(*child);
    if (!operand.has_value()) return std::nullopt;
    operands.push_back(*std::move(operand));
  }
  if (operands.empty()) return model::Expression::Literal(model::Value::Bool(true));
  if (operands.size() == 1) return std::move(operands.front());
  auto joined = model::Expression::Apply(op, std::move(operands));
  if (!joined.has_value()) return std::nullopt;
  return *std::move(joined);
}

std::optional<model::Expression> TestOf(const PathNode& node) {
  std::vector<model::Expression> operands;
  operands.push_back(model::Expression::Reference(model::Path(node.path().steps)));
  model::Operator op = model::Operator::kMongoEqual;
  if (const auto* comparison = dynamic_cast<const ComparisonTest*>(&node.test())) {
    op = OperatorOf(comparison->comparison());
    operands.push_back(model::Expression::Literal(comparison->value()));
  } else if (const auto* in = dynamic_cast<const InTest*>(&node.test())) {
    if (!in->patterns().empty() || in->values().empty()) return std::nullopt;
    op = model::Operator::kMongoIn;
    for (const model::Value& value : in->values())
      operands.push_back(model::Expression::Literal(value));
  } else if (dynamic_cast<const ExistsTest*>(&node.test()) != nullptr) {
    op = model::Operator::kMongoExists;
  } else if (const auto* type = dynamic_cast<const TypeTest*>(&node.test())) {
    op = model::Operator::kMongoType;
    for (const uint8_t number : type->bson_types())
      operands.push_back(model::Expression::Literal(model::Value::Int32(number)));
  } else {
    return std::nullopt;
  }
  auto made = model::Expression::Apply(op, std::move(operands));
  if (!made.has_value()) return std::nullopt;
  return *std::move(made);
}

std::optional<model::Expression> ExpressionOf(const MatchNode& node) {
  if (const auto* all = dynamic_cast<const AndNode*>(&node))
    return Joined(model::Operator::kAnd, all->children());
  if (const auto* any = dynamic_cast<const OrNode*>(&node))
    return Joined(model::Operator::kOr, any->children());
  if (const auto* at = dynamic_cast<const PathNode*>(&node)) return TestOf(*at);
  return std::nullopt;
}

}  // namespace

Answer<model::Expression> PartialFilterOf(model::DocumentView filter) {
  MONGO_ASSIGN(const MatcherPtr matcher,
               Matcher::Parse(filter, std::make_shared<const QueryContext>(),
                              {.near = false, .text = false, .where = false, .expr = false}));
  auto made = ExpressionOf(matcher->root());
  if (made.has_value()) return *std::move(made);
  return Refuse(ErrorCode::kCannotCreateIndex,
                "Expression not supported in partial index: " + PrintBson(filter.ToObject()));
}

}  // namespace orrery::mongo
