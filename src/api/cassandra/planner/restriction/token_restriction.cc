#include "api/cassandra/planner/restriction/token_restriction.h"

#include <fmt/format.h>

#include <algorithm>

#include "api/cassandra/parser/print/print.h"
#include "api/cassandra/planner/restriction/relation_planner.h"
#include "base/bytes.h"

namespace orrery::cassandra {
namespace {

using Op = ast::RelationOperator;

std::string NamesOf(std::span<const Column> columns) {
  std::string names;
  for (const Column& column : columns) {
    if (!names.empty()) names += ", ";
    names += column.name;
  }
  return names;
}

CqlStatus CheckColumns(const Table& table, const ast::TokenOfColumns& token) {
  std::vector<const Column*> given;
  for (const ast::Name& name : token.columns) {
    CQL_ASSIGN(const Column* column, RequireColumn(table, name));
    given.push_back(column);
  }
  const auto key = table.partition_key();
  if (std::ranges::equal(given, key, {}, {}, [](const Column& column) { return &column; }))
    return {};
  for (const Column& column : key) {
    if (std::ranges::find(given, &column) == given.end()) {
      return Invalid(
          "The token() function must be applied to all partition key components or none of them");
    }
  }
  for (size_t i = 0; i < given.size(); ++i) {
    if (std::find(given.begin(), given.begin() + static_cast<ptrdiff_t>(i), given[i]) !=
        given.begin() + static_cast<ptrdiff_t>(i)) {
      return Invalid("The token() function contains duplicate partition key components");
    }
  }
  if (given.size() != key.size())
    return Invalid("The token() function must contains only partition key components");
  return Invalid(fmt::format("The token function arguments must be in the partition key order: {}",
                             NamesOf(key)));
}

CqlResult<int64_t> TokenAt(const TokenBound& bound, const Evaluation& evaluation) {
  CQL_ASSIGN(const TermValue value, bound.token->Evaluate(evaluation));
  if (value.is_unset()) return Invalid("Invalid unset value for column partition key token");
  if (value.is_null()) return Invalid("Invalid null token value");
  if (value.bytes.size() != sizeof(int64_t)) return Invalid("Invalid empty token value");
  return LoadBigEndian<int64_t>(value.bytes.data());
}

constexpr TokenSpan kNoTokens{1, 0};

}  // namespace

CqlResult<TokenSpan> TokenRestriction::Bind(const Evaluation& evaluation) const {
  TokenSpan span;
  if (lower.has_value()) {
    CQL_ASSIGN(span.first, TokenAt(*lower, evaluation));
    if (is_equal) return TokenSpan{span.first, span.first};
    if (!lower->inclusive && span.first == INT64_MAX) return kNoTokens;
    if (!lower->inclusive) ++span.first;
  }
  if (upper.has_value()) {
    CQL_ASSIGN(const int64_t last, TokenAt(*upper, evaluation));
    if (last != INT64_MIN) span.last = upper->inclusive ? last : last - 1;
  }
  return span;
}

CqlResult<bool> TokenRestriction::Accepts(const Evaluation& evaluation, int64_t token) const {
  bool above = true;
  bool below = true;
  std::optional<int64_t> from;
  std::optional<int64_t> to;
  if (lower.has_value()) {
    CQL_ASSIGN(from, TokenAt(*lower, evaluation));
    if (is_equal) return token == *from;
    above = lower->inclusive ? token >= *from : token > *from;
  }
  if (upper.has_value()) {
    CQL_ASSIGN(to, TokenAt(*upper, evaluation));
    below = upper->inclusive ? token <= *to : token < *to;
  }
  if (from.has_value() && to.has_value() && *from > *to) return above || below;
  return above && below;
}

CqlResult<TokenRestriction> PlanToken(const Table& table, const ast::Relation& relation,
                                      TermPlanner& terms) {
  CQL_TRY(CheckColumns(table, std::get<ast::TokenOfColumns>(relation.left)));
  if (relation.op == Op::kNotEqual) {
    return Invalid(fmt::format("Unsupported \"!=\" relation: {}", PrintRelation(relation)));
  }
  const auto* term = std::get_if<ast::Term>(&relation.right);
  if (term == nullptr) {
    return Invalid(
        fmt::format("{} cannot be used with the token function", ast::OperatorText(relation.op)));
  }
  const Receiver receiver = PartOf(ReceiverOf(table, table.partition_key().front()),
                                   "partition key token", Type::Native(TypeKind::kBigint));
  CQL_ASSIGN(ExpressionPtr token, terms.PlanValue(*term, receiver));
  TokenRestriction restriction;
  switch (relation.op) {
    case Op::kEqual:
      restriction.is_equal = true;
      restriction.lower = TokenBound{std::move(token), true};
      return restriction;
    case Op::kLess:
    case Op::kLessOrEqual:
      restriction.upper = TokenBound{std::move(token), relation.op == Op::kLessOrEqual};
      return restriction;
    case Op::kGreater:
    case Op::kGreaterOrEqual:
      restriction.lower = TokenBound{std::move(token), relation.op == Op::kGreaterOrEqual};
      return restriction;
    default:
      return Invalid(
          fmt::format("{} cannot be used with the token function", ast::OperatorText(relation.op)));
  }
}

CqlResult<TokenRestriction> Merge(const Table& table, TokenRestriction first,
                                  TokenRestriction second) {
  const std::string names = NamesOf(table.partition_key());
  if (first.is_equal) {
    return Invalid(fmt::format(
        "{} cannot be restricted by more than one relation if it includes an Equal", names));
  }
  if (second.is_equal) {
    return Invalid(fmt::format(
        "Columns \"{}\" cannot be restricted by both an equality and an inequality relation",
        names));
  }
  if (first.lower.has_value() && second.lower.has_value()) {
    return Invalid(
        fmt::format("More than one restriction was found for the start bound on {}", names));
  }
  if (first.upper.has_value() && second.upper.has_value()) {
    return Invalid(
        fmt::format("More than one restriction was found for the end bound on {}", names));
  }
  if (second.lower.has_value()) first.lower = std::move(second.lower);
  if (second.upper.has_value()) first.upper = std::move(second.upper);
  return first;
}

}  // namespace orrery::cassandra
