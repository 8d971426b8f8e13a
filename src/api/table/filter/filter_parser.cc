#include "api/table/filter/filter_parser.h"

#include <optional>
#include <utility>

#include "api/table/filter/filter_lexer.h"
#include "net/http/http_message.h"
#include "query/lexer/nesting.h"

namespace orrery::table {
namespace {

using FilterPtr = std::unique_ptr<Filter>;

struct ComparisonWord {
  std::string_view word;
  Comparison comparison;
  bool is_unequal;
};
constexpr ComparisonWord kComparisons[] = {
    {"eq", Comparison::kEqual, false},   {"ne", Comparison::kEqual, true},
    {"gt", Comparison::kGreater, false}, {"ge", Comparison::kGreaterOrEqual, false},
    {"lt", Comparison::kLess, false},    {"le", Comparison::kLessOrEqual, false},
};

class FilterParser {
 public:
  explicit FilterParser(std::string_view text) : lexer_(text), nesting_(kFilterDepthMax) {}

  Outcome<FilterPtr> Parse() {
    TABLE_TRY(Advance());
    if (token_.kind == FilterToken::Kind::kEnd) return FilterPtr();
    TABLE_ASSIGN(FilterPtr filter, Or());
    if (token_.kind != FilterToken::Kind::kEnd)
      return BadFilter("something follows the condition", token_.offset);
    return filter;
  }

 private:
  Outcome<void> Advance() {
    TABLE_ASSIGN(token_, lexer_.Next());
    return {};
  }

  bool IsWord(std::string_view word) const {
    return token_.kind == FilterToken::Kind::kWord && net::EqualsIgnoringCase(token_.word, word);
  }

  static FilterPtr Both(Filter::Kind kind, FilterPtr left, FilterPtr right) {
    auto filter = std::make_unique<Filter>();
    filter->kind = kind;
    filter->left = std::move(left);
    filter->right = std::move(right);
    return filter;
  }

  Outcome<FilterPtr> Or() {
    TABLE_ASSIGN(FilterPtr left, And());
    while (IsWord("or")) {
      TABLE_TRY(Advance());
      TABLE_ASSIGN(FilterPtr right, And());
      left = Both(Filter::Kind::kOr, std::move(left), std::move(right));
      TABLE_TRY(Count());
    }
    return left;
  }

  Outcome<FilterPtr> And() {
    TABLE_ASSIGN(FilterPtr left, Unary());
    while (IsWord("and")) {
      TABLE_TRY(Advance());
      TABLE_ASSIGN(FilterPtr right, Unary());
      left = Both(Filter::Kind::kAnd, std::move(left), std::move(right));
      TABLE_TRY(Count());
    }
    return left;
  }

  Outcome<FilterPtr> Unary() {
    const query::NestingLevel level(nesting_);
    if (!level.ok()) return BadFilter("the condition is nested too deeply", token_.offset);
    if (!IsWord("not")) return CompareOperands();
    TABLE_TRY(Advance());
    TABLE_ASSIGN(FilterPtr inner, Unary());
    return Both(Filter::Kind::kNot, std::move(inner), nullptr);
  }

  Outcome<FilterPtr> CompareOperands() {
    const size_t offset = token_.offset;
    TABLE_ASSIGN(FilterPtr left, Operand());
    const ComparisonWord* found = nullptr;
    for (const ComparisonWord& each : kComparisons)
      if (IsWord(each.word)) found = &each;
    if (found == nullptr) return left;
    TABLE_TRY(Advance());
    TABLE_ASSIGN(FilterPtr right, Operand());
    if (left->kind != Filter::Kind::kOperand || right->kind != Filter::Kind::kOperand)
      return Condition(*found, std::move(left), std::move(right), offset);
    auto filter = std::make_unique<Filter>();
    filter->kind = Filter::Kind::kCompare;
    filter->a = std::move(left->a);
    filter->b = std::move(right->a);
    filter->comparison = found->comparison;
    filter->is_unequal = found->is_unequal;
    return filter;
  }

  // "(a gt 1) eq true": a condition compared with a Boolean literal.
  static Outcome<FilterPtr> Condition(const ComparisonWord& comparison, FilterPtr left,
                                      FilterPtr right, size_t offset) {
    if (left->kind == Filter::Kind::kOperand) std::swap(left, right);
    const auto literal = BooleanOf(*right);
    if (!literal.has_value() || comparison.comparison != Comparison::kEqual)
      return BadFilter("a condition can be compared with true and false only, by eq and ne",
                       offset);
    if (*literal != comparison.is_unequal) return left;
    return Both(Filter::Kind::kNot, std::move(left), nullptr);
  }

  static std::optional<bool> BooleanOf(const Filter& filter) {
    if (filter.kind != Filter::Kind::kOperand) return std::nullopt;
    const auto* literal = std::get_if<EdmValue>(&*filter.a);
    if (literal == nullptr || literal->type() != EdmType::kBoolean) return std::nullopt;
    return literal->AsBoolean();
  }

  Outcome<FilterPtr> Operand() {
    auto filter = std::make_unique<Filter>();
    if (token_.kind == FilterToken::Kind::kOpen) {
      TABLE_TRY(Advance());
      TABLE_ASSIGN(filter, Or());
      if (token_.kind != FilterToken::Kind::kClose)
        return BadFilter("a closing parenthesis is missing", token_.offset);
      TABLE_TRY(Advance());
      return filter;
    }
    if (token_.kind == FilterToken::Kind::kLiteral) {
      filter->a = *std::move(token_.literal);
    } else if (token_.kind == FilterToken::Kind::kWord && !IsKeyword()) {
      filter->a = FilterProperty{std::move(token_.word)};
    } else {
      return BadFilter("a property or a literal is expected", token_.offset);
    }
    TABLE_TRY(Advance());
    return filter;
  }

  bool IsKeyword() const {
    for (const ComparisonWord& each : kComparisons)
      if (IsWord(each.word)) return true;
    return IsWord("and") || IsWord("or") || IsWord("not");
  }

  // Long chains become deep trees, which are walked by recursion.
  Outcome<void> Count() {
    constexpr size_t kOperatorsMax = 2'000;
    if (++operators_ > kOperatorsMax)
      return BadFilter("the condition has too many parts", token_.offset);
    return {};
  }

  FilterLexer lexer_;
  FilterToken token_;
  query::Nesting nesting_;
  size_t operators_ = 0;
};

}  // namespace

Outcome<FilterPtr> ParseFilter(std::string_view text) {
  if (text.size() > kFilterBytesMax) return BadFilter("the text is too long", kFilterBytesMax);
  return FilterParser(text).Parse();
}

}  // namespace orrery::table
