#include "api/sql/query/index/word_path.h"

#include <algorithm>
#include <span>
#include <utility>

#include "api/sql/function/argument.h"
#include "api/sql/query/index/conjunction.h"
#include "api/sql/query/index/constant.h"
#include "api/sql/query/index/named_index.h"
#include "model/expression/letter_case.h"
#include "model/key/key_codec.h"
#include "model/text/index_words.h"
#include "model/text/tokenizer.h"

namespace orrery::sql {
namespace {

// Alternatives of one condition; more are left to the filter.
constexpr size_t kWordsMax = 100;

std::optional<std::string> Longest(std::vector<std::string> words) {
  if (words.empty()) return std::nullopt;
  return *std::ranges::max_element(words, {}, &std::string::size);
}

class WordConditionFinder {
 public:
  WordConditionFinder(const PredicateContext& context, Places places,
                      std::vector<WordCondition>& found)
      : context_(context), places_(std::move(places)), found_(found) {}

  void LookAt(const ast::FunctionCall& call) {
    if (call.is_user_defined || call.arguments.size() < 2) return;
    const std::string name = model::ToUpperCase(call.function.text);
    const bool is_any = name == "FULLTEXTCONTAINSANY";
    if (!is_any && name != "FULLTEXTCONTAINS" && name != "FULLTEXTCONTAINSALL") return;
    const auto place = PlaceOf(call.arguments[0], places_);
    if (!place.has_value() || !IsIndexable(*place) || context_.IsComputed(*place)) return;
    const auto phrases = std::span(call.arguments).subspan(1);
    std::vector<std::string> words = is_any ? OneOfEach(phrases) : OneOfAll(phrases);
    if (!words.empty() && words.size() <= kWordsMax) found_.push_back({*place, std::move(words)});
  }

 private:
  // What is no constant text says nothing; what has no words is in no text.
  std::vector<std::string> OneOfAll(std::span<const ast::Expression> phrases) const {
    std::vector<std::string> all;
    for (const ast::Expression& phrase : phrases) {
      const auto constant = ConstantOf(phrase, context_);
      if (!constant.has_value() || TextOf(*constant) == nullptr) continue;
      std::ranges::move(model::Tokenize(*TextOf(*constant)), std::back_inserter(all));
    }
    const auto longest = Longest(std::move(all));
    if (!longest.has_value()) return {};
    return {*longest};
  }

  // None when one of them might be any text, or one that words are only near to. What is no text is
  // in none.
  std::vector<std::string> OneOfEach(std::span<const ast::Expression> phrases) const {
    std::vector<std::string> words;
    for (const ast::Expression& phrase : phrases) {
      const auto constant = ConstantOf(phrase, context_);
      if (!constant.has_value() || constant->kind() == model::Kind::kObject) return {};
      if (TextOf(*constant) == nullptr) continue;
      if (auto longest = Longest(model::Tokenize(*TextOf(*constant))))
        words.push_back(*std::move(longest));
    }
    return words;
  }

  const PredicateContext& context_;
  const Places places_;
  std::vector<WordCondition>& found_;
};

}  // namespace

std::vector<WordCondition> WordConditionsOf(const ast::Query& reader,
                                            const PredicateContext& context) {
  std::vector<WordCondition> found;
  WordConditionFinder finder(context, DocumentPlaces(reader), found);
  ForEachCondition(reader, [&](const ast::Expression& condition) {
    if (const auto* call = condition.As<ast::FunctionCall>()) finder.LookAt(*call);
  });
  return found;
}

std::optional<IndexPath> WordPathOf(const std::vector<WordCondition>& conditions,
                                    const item::ContainerSchema& schema) {
  const WordCondition* best = nullptr;
  std::optional<item::IndexId> best_index;
  const auto is_better = [&](const WordCondition& condition) {
    if (best == nullptr || condition.words.size() != best->words.size())
      return best == nullptr || condition.words.size() < best->words.size();
    return condition.words.front().size() > best->words.front().size();
  };
  for (const WordCondition& condition : conditions) {
    const auto index = FindNamedIndex(schema, item::IndexKind::kWords, condition.place);
    if (!index.has_value() || !is_better(condition)) continue;
    best = &condition;
    best_index = index;
  }
  if (best == nullptr) return std::nullopt;
  std::vector<std::string> values;
  for (const model::Value& value : model::IndexedWordsToFind(best->words))
    values.push_back(model::EncodeKey({&value, 1}, schema.order));
  std::ranges::sort(values);
  IndexPath path{.places = {best->place}, .index = *best_index, .ranges = {}};
  path.kind = item::IndexKind::kWords;
  for (const std::string& value : values) path.ranges.push_back({{{value, true}}, {{value, true}}});
  return path;
}

}  // namespace orrery::sql
