#include "model/search/search_rules.h"

#include <set>

#include "base/check.h"
#include "model/search/search_terms.h"

namespace orrery::model {
namespace {

class TextWalk {
 public:
  TextWalk(const SearchRules& rules, const std::function<void(const SearchedText&)>& visit)
      : rules_(rules), visit_(visit) {}

  void IntoObject(DocumentView object, const std::string& path, const SearchLanguage& around) {
    const SearchLanguage& language = LanguageOf(object, around);
    for (const ElementView field : object) {
      if (rules_.is_wildcard && field.name() == rules_.language_field) continue;
      const std::string below =
          path.empty() ? std::string(field.name()) : path + "." + std::string(field.name());
      Into(field, below, language, /*is_in_array=*/false);
    }
  }

  const std::optional<Value>& mistake() const { return mistake_; }

 private:
  void Into(const ElementView& value, const std::string& path, const SearchLanguage& language,
            bool is_in_array) {
    const auto weight = rules_.weights.find(path);
    const bool has_weight = weight != rules_.weights.end();
    switch (value.kind()) {
      case Kind::kString:
        if (!has_weight && !rules_.is_wildcard) return;
        return visit_({value.AsString(), language, has_weight ? weight->second : 1});
      case Kind::kObject:
        if (rules_.is_wildcard || HasWeightBelow(path))
          IntoObject(value.AsDocument(), path, language);
        return;
      case Kind::kArray:
        if (!rules_.is_wildcard && (is_in_array || (!has_weight && !HasWeightBelow(path)))) return;
        for (const ElementView element : value.AsDocument())
          Into(element, path, language, /*is_in_array=*/true);
        return;
      default:
        return;
    }
  }

  bool HasWeightBelow(const std::string& path) const {
    const std::string begin = path + ".";
    const auto next = rules_.weights.lower_bound(begin);
    return next != rules_.weights.end() && next->first.starts_with(begin);
  }

  const SearchLanguage& LanguageOf(DocumentView object, const SearchLanguage& around) {
    const auto named = object.Find(rules_.language_field);
    if (!named.has_value()) return around;
    const SearchLanguage* const found =
        named->kind() == Kind::kString ? SearchLanguage::Find(named->AsString()) : nullptr;
    if (found == nullptr && !mistake_.has_value()) mistake_ = named->ToValue();
    return found == nullptr ? around : *found;
  }

  const SearchRules& rules_;
  const std::function<void(const SearchedText&)>& visit_;
  std::optional<Value> mistake_;
};

const SearchLanguage& DefaultLanguage(const SearchRules& rules) {
  const SearchLanguage* language = SearchLanguage::Find(rules.default_language);
  if (language == nullptr) language = SearchLanguage::Find("none");
  ORRERY_CHECK(language != nullptr);
  return *language;
}

Value IndexedTerm(std::string_view term) {
  return Value::String(std::string(term.substr(0, kSearchTermBytesMax)));
}

}  // namespace

void VisitTexts(DocumentView document, const SearchRules& rules,
                const std::function<void(const SearchedText&)>& visit) {
  TextWalk(rules, visit).IntoObject(document, "", DefaultLanguage(rules));
}

std::optional<Value> FindLanguageMistake(DocumentView document, const SearchRules& rules) {
  const std::function<void(const SearchedText&)> ignore = [](const SearchedText&) {};
  TextWalk walk(rules, ignore);
  walk.IntoObject(document, "", DefaultLanguage(rules));
  return walk.mistake();
}

std::vector<Value> SearchValuesOf(DocumentView document, const SearchRules& rules) {
  std::set<std::string> terms;
  VisitTexts(document, rules, [&](const SearchedText& text) {
    if (terms.size() > kSearchTermsMax) return;
    for (std::string& term : SearchTermsOf(text.text, text.language)) terms.insert(std::move(term));
  });
  if (terms.size() > kSearchTermsMax) return {Value::Null()};
  std::vector<Value> values;
  values.reserve(terms.size());
  for (const std::string& term : terms) values.push_back(IndexedTerm(term));
  return values;
}

std::vector<Value> SearchValuesToFind(const std::vector<std::string>& terms) {
  std::vector<Value> values = {Value::Null()};
  for (const std::string& term : terms) values.push_back(IndexedTerm(term));
  return values;
}

}  // namespace orrery::model
