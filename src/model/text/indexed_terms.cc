#include "model/text/indexed_terms.h"

#include <cstdint>
#include <set>
#include <utility>

#include "model/text/tokenizer.h"

namespace orrery::model {
namespace {

// Cut between characters: values are UTF-8.
std::string_view CutTerm(std::string_view word) {
  if (word.size() <= kIndexedTermBytesMax) return word;
  size_t end = kIndexedTermBytesMax;
  while (end > 0 && (static_cast<uint8_t>(word[end]) & 0xC0) == 0x80) --end;
  return word.substr(0, end);
}

std::vector<Value> ToValues(const std::set<std::string>& words) {
  std::vector<Value> values;
  values.reserve(words.size() + 1);
  for (const std::string& word : words) values.push_back(Value::String(word));
  return values;
}

}  // namespace

std::vector<Value> IndexedTermsOf(std::string_view text) {
  std::set<std::string> distinct;
  for (const std::string& word : Tokenize(text)) {
    distinct.emplace(CutTerm(word));
    if (distinct.size() > kIndexedTermsMax) return {Value::Null()};
  }
  return ToValues(distinct);
}

std::vector<Value> IndexedTermsToFind(std::span<const std::string> words) {
  std::set<std::string> distinct;
  for (const std::string& word : words) distinct.emplace(CutTerm(word));
  std::vector<Value> values = ToValues(distinct);
  values.push_back(Value::Null());
  return values;
}

}  // namespace orrery::model
