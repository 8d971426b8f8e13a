#include "api/sql/query/condition/term_finder.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "api/sql/function/argument.h"
#include "api/sql/query/condition/conjunction.h"
#include "api/sql/query/condition/constant.h"
#include "api/sql/query/condition/document_paths.h"
#include "model/expression/letter_case.h"
#include "model/text/tokenizer.h"

namespace orrery::sql {
namespace {

using query::TermCondition;

// Terms of one condition; more are left to the filter.
constexpr size_t kTermsMax = 100;

std::optional<std::string> Longest(std::vector<std::string> words) {
  if (words.empty()) return std::nullopt;
  return *std::ranges::max_element(words, {}, &std::string::size);
}

class TermConditionFinder {
 public:
  TermConditionFinder(const ConditionContext& context, AliasPaths aliases,
                      std::vector<TermCondition>& found)
      : context_(context), aliases_(std::move(aliases)), found_(found) {}

  void LookAt(const ast::FunctionCall& call) {
    if (call.is_user_defined || call.arguments.size() < 2) return;
    const std::string name = model::ToUpperCase(call.function.text);
    const bool is_any = name == "FULLTEXTCONTAINSANY";
    if (!is_any && name != "FULLTEXTCONTAINS" && name != "FULLTEXTCONTAINSALL") return;
    const auto path = PathOf(call.arguments[0], aliases_);
    if (!path.has_value() || context_.IsComputed(*path) || context_.IsBeyondIndexes(*path)) return;
    const auto phrases = std::span(call.arguments).subspan(1);
    std::vector<std::string> words = is_any ? OneOfEach(phrases) : OneOfAll(phrases);
    if (!words.empty() && words.size() <= kTermsMax) found_.push_back({*path, std::move(words)});
  }

 private:
  // Anything but a constant text gives no terms; a text without words is in no text.
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

  const ConditionContext& context_;
  const AliasPaths aliases_;
  std::vector<TermCondition>& found_;
};

}  // namespace

std::vector<TermCondition> TermConditionsOf(const ast::Query& reader,
                                            const ConditionContext& context) {
  std::vector<TermCondition> found;
  TermConditionFinder finder(context, AliasPathsOf(reader), found);
  ForEachCondition(reader, [&](const ast::Expression& condition) {
    if (const auto* call = condition.As<ast::FunctionCall>()) finder.LookAt(*call);
  });
  return found;
}

}  // namespace orrery::sql
