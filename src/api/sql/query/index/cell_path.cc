#include "api/sql/query/index/cell_path.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "api/sql/function/argument.h"
#include "api/sql/query/index/conjunction.h"
#include "api/sql/query/index/constant.h"
#include "api/sql/query/index/named_index.h"
#include "model/expression/letter_case.h"
#include "model/key/key_codec.h"
#include "model/spatial/cell_cover.h"

namespace orrery::sql {
namespace {

using ast::BinaryOperator;
using model::Value;

class ShapeConditionFinder {
 public:
  ShapeConditionFinder(const PredicateContext& context, Places places,
                       std::vector<ShapeCondition>& found)
      : context_(context), places_(std::move(places)), found_(found) {}

  void LookAt(const ast::Expression& condition) {
    if (const auto* call = condition.As<ast::FunctionCall>()) {
      if (IsCallOf(*call, "ST_WITHIN") || IsCallOf(*call, "ST_INTERSECTS")) Add(*call, 0);
    } else if (const auto* binary = condition.As<ast::Binary>()) {
      if (binary->op == BinaryOperator::kLess || binary->op == BinaryOperator::kLessOrEqual)
        AddDistance(*binary->left, *binary->right);
      if (binary->op == BinaryOperator::kGreater || binary->op == BinaryOperator::kGreaterOrEqual)
        AddDistance(*binary->right, *binary->left);
    } else if (const auto* between = condition.As<ast::Between>()) {
      if (!between->negated) AddDistance(*between->value, *between->high);
    }
  }

 private:
  static bool IsCallOf(const ast::FunctionCall& call, std::string_view name) {
    return !call.is_user_defined && call.arguments.size() == 2 &&
           model::ToUpperCase(call.function.text) == name;
  }

  // That the distance is below the limit.
  void AddDistance(const ast::Expression& distance, const ast::Expression& limit) {
    const auto* call = distance.As<ast::FunctionCall>();
    if (call == nullptr || !IsCallOf(*call, "ST_DISTANCE")) return;
    const auto constant = ConstantOf(limit, context_);
    const auto metres = constant.has_value() ? NumberOf(*constant) : std::nullopt;
    if (metres.has_value() && std::isfinite(*metres)) Add(*call, std::max(*metres, 0.0));
  }

  // A place of documents and a constant shape, in either order.
  void Add(const ast::FunctionCall& call, double metres) {
    for (const size_t at : {0, 1}) {
      const auto place = PlaceOf(call.arguments[at], places_);
      if (!place.has_value() || !IsIndexable(*place) || context_.IsComputed(*place)) continue;
      const auto constant = ConstantOf(call.arguments[1 - at], context_);
      if (!constant.has_value()) continue;
      auto shape = model::ReadGeometry(*constant);
      if (shape.has_value()) found_.push_back({*place, *std::move(shape), metres});
    }
  }

  const PredicateContext& context_;
  const Places places_;
  std::vector<ShapeCondition>& found_;
};

std::vector<ValueRange> RangesOf(const model::CellSearch& search, model::Order order) {
  const auto encode = [order](const std::string& cell) {
    const Value value = Value::String(cell);
    return model::EncodeKey({&value, 1}, order);
  };
  // What the cells within it begin with, too.
  const auto begin_of = [&](const std::string& cell) {
    std::string encoded = encode(cell);
    encoded.resize(encoded.size() - 2);  // the end of the text
    return encoded;
  };
  std::vector<ValueRange> ranges;
  for (const std::string& cell : search.above)
    ranges.push_back({{{encode(cell), true}}, {{encode(cell), true}}});
  for (const model::CellSearch::Run& run : search.runs)
    ranges.push_back(
        {{{begin_of(run.first), true}}, {{item::PrefixEnd(begin_of(run.last)), false}}});
  std::ranges::sort(ranges, {}, [](const ValueRange& range) { return range.lower->encoded; });
  return ranges;
}

}  // namespace

std::vector<ShapeCondition> ShapeConditionsOf(const ast::Query& reader,
                                              const PredicateContext& context) {
  std::vector<ShapeCondition> found;
  ShapeConditionFinder finder(context, DocumentPlaces(reader), found);
  ForEachCondition(reader, [&](const ast::Expression& condition) { finder.LookAt(condition); });
  return found;
}

std::optional<IndexPath> CellPathOf(const std::vector<ShapeCondition>& conditions,
                                    const item::ContainerSchema& schema) {
  std::optional<IndexPath> best;
  size_t best_length = 0;
  for (const ShapeCondition& condition : conditions) {
    const auto index = FindNamedIndex(schema, item::IndexKind::kCells, condition.place);
    if (!index.has_value()) continue;
    const auto search = model::CellsToFind(condition.shape, condition.metres);
    if (!search.has_value() || search->runs.front().first.size() <= best_length) continue;
    best_length = search->runs.front().first.size();
    best = {{condition.place}, *index, RangesOf(*search, schema.order)};
    best->kind = item::IndexKind::kCells;
  }
  return best;
}

}  // namespace orrery::sql
