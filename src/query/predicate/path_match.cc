#include "query/predicate/path_match.h"

#include <cmath>
#include <optional>

#include "model/compare.h"
#include "model/match/mongo_match.h"
#include "model/type_class.h"

namespace orrery::query {
namespace {

using model::DocumentView;
using model::ElementView;
using model::Kind;
using model::Value;

bool IsNaN(const Value& value) {
  return value.kind() == Kind::kDouble && std::isnan(value.AsDouble());
}

// The value under the rules of SQL: undefined if the path leads nowhere.
bool MatchesSql(DocumentView document, std::span<const std::string> path, Comparison comparison,
                const Value& constant) {
  std::optional<ElementView> found;
  for (size_t i = 0; i < path.size(); ++i) {
    found = document.Find(path[i]);
    if (!found.has_value()) return false;
    if (i + 1 == path.size()) break;
    if (found->kind() != Kind::kObject) return false;
    document = found->AsDocument();
  }
  if (!found.has_value()) return false;
  const Value value = found->ToValue();
  constexpr model::Order kOrder = model::Order::kSql;
  if (value.is_undefined() || constant.is_undefined() ||
      model::ClassOf(value.kind(), kOrder) != model::ClassOf(constant.kind(), kOrder))
    return false;
  // NaN compares with nothing, as IEEE has it.
  if (IsNaN(value) || IsNaN(constant)) return false;
  return model::Holds(comparison, model::Compare(value, constant, kOrder));
}

}  // namespace

bool Matches(DocumentView document, std::span<const std::string> path, Comparison comparison,
             const Value& constant, MatchRules rules) {
  if (path.empty()) return false;
  if (rules == MatchRules::kSql) return MatchesSql(document, path, comparison, constant);
  return model::MatchesMongo(document, path, comparison, constant);
}

}  // namespace orrery::query
