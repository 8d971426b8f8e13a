#include "api/sql/query/rank/full_text_hits.h"

#include <algorithm>
#include <utility>

#include "api/sql/function/argument.h"
#include "api/sql/function/text/bm25.h"
#include "api/sql/function/text/stop_words.h"
#include "model/text/tokenizer.h"

namespace orrery::sql {
namespace {

using model::Value;

class FullTextHitsNode final : public BoundExpression {
 public:
  FullTextHitsNode(BoundExpressionPtr text, std::vector<Phrase> phrases)
      : text_(std::move(text)), phrases_(std::move(phrases)) {}

  Result<const Value*> Evaluate(Frame& frame, Value& scratch) const override {
    Value text_scratch;
    ORRERY_ASSIGN(const Value* value, text_->Evaluate(frame, text_scratch));
    const std::string* text = TextOf(*value);
    if (text == nullptr) {
      scratch = Value::Undefined();
      return &scratch;
    }
    const std::vector<std::string> words = model::Tokenize(*text);
    model::Values hits = {FromInteger(static_cast<int64_t>(TextLength(words)))};
    for (const Phrase& phrase : phrases_)
      hits.push_back(FromInteger(static_cast<int64_t>(CountPhrase(words, phrase))));
    scratch = Value::Array(std::move(hits));
    return &scratch;
  }

 private:
  const BoundExpressionPtr text_;
  const std::vector<Phrase> phrases_;
};

}  // namespace

BoundExpressionPtr FullTextHits(BoundExpressionPtr text, std::vector<Phrase> phrases) {
  return std::make_unique<FullTextHitsNode>(std::move(text), std::move(phrases));
}

}  // namespace orrery::sql
