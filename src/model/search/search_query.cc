#include "model/search/search_query.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>

#include "model/text/find_text.h"

namespace orrery::model {
namespace {

// The words and phrases of a search, in the order of the text.
class SearchSyntax {
 public:
  explicit SearchSyntax(std::string_view text) : text_(text) {
    for (size_t at = 0; at < text.size();) at = Read(at);
  }

  // Words, each followed by a space. Those of phrases are wanted, too.
  std::string wanted;
  std::string refused;
  std::vector<std::string> wanted_phrases;
  std::vector<std::string> refused_phrases;

 private:
  static bool IsSpace(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

  // Reads one mark, word or space. Returns where the next begins.
  size_t Read(size_t at) {
    const char c = text_[at];
    if (IsSpace(c)) {
      is_after_space_ = true;
      return at + 1;
    }
    if (c == '-') {
      // Within a phrase it is a character like others.
      if (phrase_ == std::string_view::npos && is_after_space_) is_refused_ = true;
    } else if (c == '"') {
      ReadQuote(at);
    } else {
      const size_t end = std::min(EndOfWord(at), text_.size());
      AddWord(text_.substr(at, end - at));
      is_after_space_ = false;
      return end;
    }
    is_after_space_ = false;
    return at + 1;
  }

  size_t EndOfWord(size_t at) const {
    while (at < text_.size() && text_[at] != '-' && text_[at] != '"' && !IsSpace(text_[at])) ++at;
    return at;
  }

  void ReadQuote(size_t at) {
    if (phrase_ == std::string_view::npos) {
      // What a minus refuses ends with a space.
      if (is_refused_ && is_after_space_) is_refused_ = false;
      phrase_ = at + 1;
      return;
    }
    (is_refused_ ? refused_phrases : wanted_phrases)
        .emplace_back(text_.substr(phrase_, at - phrase_));
    phrase_ = std::string_view::npos;
  }

  void AddWord(std::string_view word) {
    const bool is_in_phrase = phrase_ != std::string_view::npos;
    if (is_in_phrase && is_refused_) return;
    if (is_refused_ && is_after_space_) is_refused_ = false;
    (is_refused_ ? refused : wanted).append(word).push_back(' ');
  }

  const std::string_view text_;
  bool is_after_space_ = true;
  bool is_refused_ = false;
  size_t phrase_ = std::string_view::npos;  // where the phrase began that is open
};

// The occurrences of a term in one text.
struct TermUse {
  size_t count = 0;
  double frequency = 0;  // 1 + 1/2 + 1/4 ...
};

bool EqualsInAsciiCase(std::string_view a, std::string_view b) {
  const auto lower = [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  };
  return std::ranges::equal(a, b, {}, lower, lower);
}

}  // namespace

SearchQuery SearchQuery::Parse(std::string_view text, const SearchLanguage& language,
                               SearchSensitivity sensitivity) {
  SearchSyntax syntax(text);
  SearchQuery query;
  query.language_ = &language;
  query.sensitivity_ = sensitivity;
  const auto terms_of = [&](const std::string& words, SearchSensitivity by) {
    const std::vector<std::string> terms = SearchTermsOf(words, language, by);
    return std::set<std::string>(terms.begin(), terms.end());
  };
  const std::set<std::string> indexed = terms_of(syntax.wanted, {});
  query.terms_.assign(indexed.begin(), indexed.end());
  query.wanted_terms_ = sensitivity.any() ? terms_of(syntax.wanted, sensitivity) : indexed;
  query.refused_terms_ = terms_of(syntax.refused, sensitivity);
  query.wanted_phrases_ = std::move(syntax.wanted_phrases);
  query.refused_phrases_ = std::move(syntax.refused_phrases);
  return query;
}

std::optional<double> SearchQuery::ScoreOf(DocumentView document, const SearchRules& rules) const {
  std::map<std::string_view, double> scores;  // by term
  bool has_wanted = !sensitivity_.any();
  bool has_refused = false;
  std::vector<bool> phrases(wanted_phrases_.size(), false);
  const auto has_phrase = [&](const std::string& folded, const std::string& phrase,
                              const SearchLanguage& language) {
    const std::string wanted = FoldedText(phrase, language, sensitivity_);
    return FindText(folded, wanted) != std::string_view::npos;
  };
  VisitTexts(document, rules, [&](const SearchedText& text) {
    if (has_refused) return;
    const std::vector<std::string> found = SearchTermsOf(text.text, text.language);
    std::map<std::string_view, TermUse> uses;
    for (const std::string& term : found) {
      TermUse& use = uses[term];
      use.frequency += 1.0 / static_cast<double>(uint64_t{1} << std::min<size_t>(use.count, 62));
      ++use.count;
    }
    for (const std::string& term : terms_) {
      const auto use = uses.find(term);
      if (use == uses.end()) continue;
      const double share =
          static_cast<double>(use->second.count) / static_cast<double>(found.size());
      const double whole = EqualsInAsciiCase(text.text, term) ? 1.1 : 1;
      scores[term] += text.weight * use->second.frequency * (0.5 * share + 0.5) * whole;
    }
    const auto is_among = [](const std::vector<std::string>& terms,
                             const std::set<std::string>& those) {
      return std::ranges::any_of(terms,
                                 [&](const std::string& term) { return those.contains(term); });
    };
    if (sensitivity_.any()) {
      const auto exact = SearchTermsOf(text.text, text.language, sensitivity_);
      has_wanted = has_wanted || is_among(exact, wanted_terms_);
      has_refused = is_among(exact, refused_terms_);
    } else {
      has_refused = is_among(found, refused_terms_);
    }
    if (wanted_phrases_.empty() && refused_phrases_.empty()) return;
    const std::string folded = FoldedText(text.text, text.language, sensitivity_);
    for (size_t i = 0; i < phrases.size(); ++i)
      phrases[i] = phrases[i] || has_phrase(folded, wanted_phrases_[i], text.language);
    for (const std::string& phrase : refused_phrases_)
      has_refused = has_refused || has_phrase(folded, phrase, text.language);
  });
  if (scores.empty() || !has_wanted || has_refused ||
      !std::ranges::all_of(phrases, std::identity()))
    return std::nullopt;
  double sum = 0;
  for (const auto& [term, score] : scores) sum += score;
  return sum;
}

}  // namespace orrery::model
