#include "api/mongo/executor/read/text_query.h"

#include <fmt/format.h>

#include <algorithm>

#include "api/mongo/catalog/text_index.h"
#include "api/mongo/language/match/conditions.h"

namespace orrery::mongo {
namespace {

std::unexpected<MongoError> NoPlan(std::string_view why) {
  return Refuse(
      ErrorCode::kNoQueryExecutionPlans,
      fmt::format("error processing query: planner returned error :: caused by :: {}", why));
}

bool IsTextOrHasOne(const MatchNode& node) {
  if (dynamic_cast<const TextNode*>(&node) != nullptr) return true;
  const auto* const all = dynamic_cast<const AndNode*>(&node);
  return all != nullptr && std::ranges::any_of(all->children(), [](const MatchNodePtr& child) {
           return IsTextOrHasOne(*child);
         });
}

}  // namespace

Answer<std::shared_ptr<const TextSearch>> BindText(const Collection& collection,
                                                   const Matcher* filter) {
  const TextNode* const node = filter == nullptr ? nullptr : filter->text();
  if (node == nullptr) return nullptr;
  const IndexSpec* const index = TextIndexOf(collection);
  if (index == nullptr)
    return Refuse(ErrorCode::kIndexNotFound, "text index required for $text query");
  const TextNode::Search& search = node->search();
  auto bound = std::make_shared<TextSearch>();
  bound->rules = SearchRulesOf(*index);
  const std::string& name =
      search.language.empty() ? bound->rules.default_language : search.language;
  const model::SearchLanguage* const language = model::SearchLanguage::Find(name);
  if (language == nullptr) {
    return Refuse(ErrorCode::kBadValue,
                  fmt::format("unsupported language: \"{}\" for text index version 3", name));
  }
  if (index->is_hidden()) return NoPlan("need exactly one text index for $text query");
  for (const std::string& field : TextKeyFieldsOf(*index).before) {
    if (EqualityOn(*filter, field).has_value()) continue;
    return NoPlan(
        "failed to use text index to satisfy $text query (if text index is compound, are equality "
        "predicates given for all prefix fields?)");
  }
  bound->query = model::SearchQuery::Parse(
      search.text, *language,
      {.to_case = search.is_case_sensitive, .to_diacritics = search.is_diacritic_sensitive});
  return bound;
}

bool AsksForMeta(model::DocumentView document, std::string_view name) {
  return std::ranges::any_of(document, [&](const model::ElementView& field) {
    if (field.kind() == model::Kind::kString)
      return field.name() == "$meta" && field.AsString() == name;
    const bool is_nested =
        field.kind() == model::Kind::kObject || field.kind() == model::Kind::kArray;
    return is_nested && field.name() != "$literal" && AsksForMeta(field.AsDocument(), name);
  });
}

Outcome CheckTextScore(model::DocumentView asking, const Matcher* filter) {
  if ((filter != nullptr && filter->text() != nullptr) || !AsksForMeta(asking, "textScore"))
    return {};
  return Refuse(40218, "query requires text score metadata, but it is not available");
}

bool DemandsText(const Matcher& filter) { return IsTextOrHasOne(filter.root()); }

}  // namespace orrery::mongo
