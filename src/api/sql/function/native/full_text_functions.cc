// FULLTEXTCONTAINS and its kin, as they are without an index: by the words of the text.
#include "api/sql/function/native/bodies.h"
#include "api/sql/function/native/native_functions.h"
#include "api/sql/function/operator/truth.h"
#include "api/sql/function/text/tokenizer.h"

namespace orrery::sql {
namespace {

enum class Quantifier : uint8_t { kAll, kAny };

template <Quantifier quantifier>
Result<Value> FullTextContains(Arguments arguments, const CallContext&) {
  const std::string* text = TextOf(arguments[0]);
  if (text == nullptr) return Value::Undefined();
  const std::vector<std::string> words = Tokenize(*text);
  Truth result = TruthOf(quantifier == Quantifier::kAll);
  for (const Value& argument : arguments.subspan(1)) {
    const std::string* phrase = TextOf(argument);
    const Truth found =
        phrase == nullptr ? Truth::kUndefined : TruthOf(ContainsPhrase(words, Tokenize(*phrase)));
    result = quantifier == Quantifier::kAll ? And(result, found) : Or(result, found);
  }
  return ToValue(result);
}

constexpr Function kFunctions[] = {
    {"FULLTEXTCONTAINS", 2, 2, FullTextContains<Quantifier::kAll>},
    {"FULLTEXTCONTAINSALL", 2, kArgumentsUnbounded, FullTextContains<Quantifier::kAll>},
    {"FULLTEXTCONTAINSANY", 2, kArgumentsUnbounded, FullTextContains<Quantifier::kAny>},
};

}  // namespace

std::span<const Function> FullTextFunctions() { return kFunctions; }

}  // namespace orrery::sql
