// FULLTEXTCONTAINS and its kin, as they are without an index: by the words of the text. And what
// clients that rank the documents of several partitions themselves ask each of them for:
//
//   _FULLTEXTWORDCOUNT(text)
//   _FULLTEXTSCORE(text, [phrase, ..], documents, words of all texts, [documents with phrase, ..])
#include <cmath>
#include <optional>
#include <span>

#include "api/sql/function/native/bodies.h"
#include "api/sql/function/native/native_functions.h"
#include "api/sql/function/operator/truth.h"
#include "api/sql/function/text/bm25.h"
#include "api/sql/function/text/phrase.h"
#include "api/sql/function/text/stop_words.h"
#include "model/text/tokenizer.h"

namespace orrery::sql {
namespace {

enum class PhraseQuantifier : uint8_t { kAll, kAny };

constexpr double kDistanceMax = 2;

// The search term: a phrase, or {"term": phrase, "distance": characters that may differ}.
struct Wanted {
  const std::string* phrase = nullptr;
  size_t distance = 0;
};
Result<Wanted> WantedOf(const Value& argument) {
  if (argument.kind() != model::Kind::kObject) return Wanted{.phrase = TextOf(argument)};
  const Value* term = argument.Find("term");
  const Value* distance = argument.Find("distance");
  Wanted wanted{.phrase = term == nullptr ? nullptr : TextOf(*term)};
  if (distance == nullptr) return wanted;
  const auto number = NumberOf(*distance);
  if (!number.has_value() || *number < 0 || *number > kDistanceMax ||
      *number != std::floor(*number)) {
    return Fail(Code::kInvalidArgument,
                "The 'distance' of a fuzzy full-text search must be 0, 1 or 2.");
  }
  wanted.distance = static_cast<size_t>(*number);
  return wanted;
}

template <PhraseQuantifier quantifier>
Result<Value> FullTextContains(Arguments arguments, const CallContext&) {
  const std::string* text = TextOf(arguments[0]);
  if (text == nullptr) return Value::Undefined();
  const std::vector<std::string> words = model::Tokenize(*text);
  Truth result = TruthOf(quantifier == PhraseQuantifier::kAll);
  for (const Value& argument : arguments.subspan(1)) {
    ORRERY_ASSIGN(const Wanted wanted, WantedOf(argument));
    const Truth found =
        wanted.phrase == nullptr
            ? Truth::kUndefined
            : TruthOf(ContainsLike(words, model::Tokenize(*wanted.phrase), wanted.distance));
    result = quantifier == PhraseQuantifier::kAll ? And(result, found) : Or(result, found);
  }
  return ToValue(result);
}

Result<Value> FullTextWordCount(Arguments arguments, const CallContext&) {
  const std::string* text = TextOf(arguments[0]);
  if (text == nullptr) return Value::Undefined();
  return FromInteger(static_cast<int64_t>(TextLength(model::Tokenize(*text))));
}

// A phrase, or an array of them.
std::optional<std::vector<std::string>> PhrasesOf(const Value& argument) {
  std::vector<std::string> phrases;
  const model::Values* list = ArrayOf(argument);
  for (const Value& phrase : list == nullptr ? std::span(&argument, 1) : std::span(*list)) {
    if (TextOf(phrase) == nullptr) return std::nullopt;
    phrases.push_back(*TextOf(phrase));
  }
  return phrases;
}

Result<Value> FullTextScore(Arguments arguments, const CallContext&) {
  const std::string* text = TextOf(arguments[0]);
  const auto phrases = PhrasesOf(arguments[1]);
  const auto texts = NumberOf(arguments[2]);
  const auto words_of_all = NumberOf(arguments[3]);
  const model::Values* having = ArrayOf(arguments[4]);
  if (text == nullptr || !phrases || !texts || !words_of_all || having == nullptr ||
      having->size() != phrases->size())
    return Value::Undefined();
  const bool has_average = *texts > 0 && *words_of_all > 0;
  const TextStatistics all{.texts = *texts,
                           .average_words = has_average ? *words_of_all / *texts : 1};
  const std::vector<std::string> words = model::Tokenize(*text);
  const auto length = static_cast<double>(TextLength(words));
  double score = 0;
  for (size_t i = 0; i < phrases->size(); ++i) {
    const auto count = NumberOf((*having)[i]);
    if (!count) return Value::Undefined();
    score += PhraseScore(static_cast<double>(CountPhrase(words, model::Tokenize((*phrases)[i]))),
                         length, *count, all);
  }
  return std::isfinite(score) ? model::NumberFromDouble(score) : Value::Undefined();
}

constexpr Function kFullTextFunctions[] = {
    {"_FULLTEXTWORDCOUNT", 1, 1, FullTextWordCount},
    {"_FULLTEXTSCORE", 5, 5, FullTextScore},
    {"FULLTEXTCONTAINS", 2, 2, FullTextContains<PhraseQuantifier::kAll>},
    {"FULLTEXTCONTAINSALL", 2, kArgumentsUnbounded, FullTextContains<PhraseQuantifier::kAll>},
    {"FULLTEXTCONTAINSANY", 2, kArgumentsUnbounded, FullTextContains<PhraseQuantifier::kAny>},
};

}  // namespace

std::span<const Function> FullTextFunctions() { return kFullTextFunctions; }

}  // namespace orrery::sql
