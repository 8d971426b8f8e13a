#include "api/sql/query/index/entry_use.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "api/sql/function/aggregate/accumulator.h"
#include "api/sql/query/bind/select_names.h"
#include "api/sql/query/bind/tree_walk.h"
#include "api/sql/query/index/conjunction.h"
#include "api/sql/query/index/named_index.h"

namespace orrery::sql {
namespace {

class EntryKnowledge {
 public:
  EntryKnowledge(const Place& place, const item::ContainerSchema& schema, const Places& aliases,
                 const PredicateContext& context)
      : aliases_(aliases) {
    known_.push_back(place);
    AddStored(schema.row_key_path, context);
    for (const model::Path& path : schema.partition_key_paths) AddStored(path, context);
  }

  // Whether entries say all of documents that the expression looks at.
  bool Has(const ast::Expression& expression) const {
    if (const auto place = PlaceOf(expression, aliases_))
      return std::ranges::find(known_, *place) != known_.end();
    if (expression.As<ast::Identifier>() != nullptr) return false;
    if (const auto* call = expression.As<ast::FunctionCall>();
        call != nullptr && call->is_user_defined)
      return false;
    bool has_all = true;
    ForEachChild(
        expression, [&](const ast::Expression& child) { has_all = has_all && Has(child); },
        [&](const ast::Query&) { has_all = false; });
    return has_all;
  }

 private:
  // What is computed under a name hides what is stored under it.
  void AddStored(const model::Path& path, const PredicateContext& context) {
    Place place = PlaceAt(path);
    if (!context.IsComputed(place)) known_.push_back(std::move(place));
  }

  const Places& aliases_;
  std::vector<Place> known_;
};

// Whether rows are documents of the container, one by one, under a name.
bool ReadsPlainly(const ast::Query& query) {
  if (query.sources.size() != 1 || query.sources.front().is_iterated) return false;
  const auto* collection = std::get_if<ast::Expression>(&query.sources.front().collection);
  return collection != nullptr && collection->As<ast::Identifier>() != nullptr;
}

std::string AliasOf(const ast::Source& source) {
  if (source.alias.has_value()) return source.alias->text;
  return std::string(ImpliedAlias(std::get<ast::Expression>(source.collection)));
}

// MIN or MAX of the place, alone: in which direction its first entry is the answer.
std::optional<bool> ExtremeOf(const ast::Query& query, const Place& place, const Places& aliases) {
  const auto* selected = std::get_if<ast::SelectValue>(&query.select.what);
  const ast::Expression* value = selected == nullptr ? nullptr : &selected->value;
  if (const auto* list = std::get_if<ast::SelectList>(&query.select.what);
      list != nullptr && list->items.size() == 1)
    value = &list->items.front().value;
  if (value == nullptr || !query.group_by.empty()) return std::nullopt;
  const auto* call = value->As<ast::FunctionCall>();
  if (call == nullptr || call->is_user_defined || call->arguments.size() != 1) return std::nullopt;
  if (PlaceOf(call->arguments.front(), aliases) != place) return std::nullopt;
  const auto aggregate = FindAggregate(call->function.text);
  if (aggregate == Aggregate::kMin) return false;
  if (aggregate == Aggregate::kMax) return true;
  return std::nullopt;
}

}  // namespace

std::optional<EntryUse> EntryUseOf(const ast::Query& query, const Place& place,
                                   const item::ContainerSchema& schema,
                                   const PredicateContext& context) {
  const ast::Query* reader = ReaderOf(query);
  if (reader == nullptr || !ReadsPlainly(*reader) || place.has_elements() || place.of_kinds ||
      context.IsComputed(place))
    return std::nullopt;
  const Places aliases = DocumentPlaces(*reader);
  const EntryKnowledge entries(place, schema, aliases, context);
  EntryUse use{.alias = AliasOf(reader->sources.front()), .place = place, .conditions = {}};
  ForEachCondition(*reader, [&](const ast::Expression& condition) {
    if (entries.Has(condition)) use.conditions.push_back(&condition);
  });
  if (reader == &query && !std::holds_alternative<ast::SelectAll>(query.select.what)) {
    use.is_whole = true;
    ForEachClause(query, [&](const ast::Expression& clause) {
      use.is_whole = use.is_whole && entries.Has(clause);
    });
  }
  if (!use.is_whole) return use;
  if (const auto extreme = ExtremeOf(query, place, aliases)) {
    use.is_one_entry = true;
    use.descending = *extreme;
  }
  return use;
}

}  // namespace orrery::sql
