#include "api/mongo/language/match/match_node.h"

#include "api/mongo/language/expression/expression.h"
#include "api/mongo/language/match/text_search.h"
#include "api/mongo/language/script_runner.h"

namespace orrery::mongo {

using model::DocumentView;
using model::ElementView;
using model::Kind;
using model::Value;

bool MatchNode::MatchesElement(const ElementView& element, MatchRun& run) const {
  if (element.kind() != Kind::kObject && element.kind() != Kind::kArray) return false;
  return Matches(element.AsDocument(), run);
}

bool AndNode::Matches(DocumentView document, MatchRun& run) const {
  for (const MatchNodePtr& child : children_) {
    if (!child->Matches(document, run)) return false;
  }
  return true;
}

bool AndNode::MatchesElement(const ElementView& element, MatchRun& run) const {
  for (const MatchNodePtr& child : children_) {
    if (!child->MatchesElement(element, run)) return false;
  }
  return true;
}

bool OrNode::Matches(DocumentView document, MatchRun& run) const {
  for (const MatchNodePtr& child : children_) {
    if (child->Matches(document, run)) return true;
    if (run.error.has_value()) return false;
  }
  return false;
}

bool OrNode::MatchesElement(const ElementView& element, MatchRun& run) const {
  for (const MatchNodePtr& child : children_) {
    if (child->MatchesElement(element, run)) return true;
    if (run.error.has_value()) return false;
  }
  return false;
}

bool NotNode::Matches(DocumentView document, MatchRun& run) const {
  const OuterIndex before = run.array_index;
  const bool matches = child_->Matches(document, run);
  run.array_index = before;  // what did not match has no position
  return !matches && !run.error.has_value();
}

bool NotNode::MatchesElement(const ElementView& element, MatchRun& run) const {
  const OuterIndex before = run.array_index;
  const bool matches = child_->MatchesElement(element, run);
  run.array_index = before;
  return !matches && !run.error.has_value();
}

bool PathNode::Matches(DocumentView document, MatchRun& run) const {
  return VisitPath(document, path_.steps, test_->leaf_arrays(),
                   [&](const ElementView* element, OuterIndex index) {
                     if (!test_->Passes(element, run.context)) return false;
                     if (index.has_value()) run.array_index = index;
                     return true;
                   });
}

bool PathNode::MatchesElement(const ElementView& element, MatchRun& run) const {
  if (path_.text.empty()) return test_->Passes(&element, run.context);
  return MatchNode::MatchesElement(element, run);
}

std::optional<size_t> ElemMatchNode::FirstMatch(DocumentView array, MatchRun& run) const {
  size_t index = 0;
  for (const ElementView element : array) {
    const bool is_nested = element.kind() == Kind::kObject || element.kind() == Kind::kArray;
    const bool matches = is_of_fields_ ? is_nested && condition_->Matches(element.AsDocument(), run)
                                       : condition_->MatchesElement(element, run);
    if (matches) return index;
    ++index;
  }
  return std::nullopt;
}

bool ElemMatchNode::Matches(DocumentView document, MatchRun& run) const {
  return VisitPath(document, path_.steps, LeafArrays::kWhole,
                   [&](const ElementView* element, OuterIndex outer) {
                     if (element == nullptr || element->kind() != Kind::kArray) return false;
                     const std::optional<size_t> index = FirstMatch(element->AsDocument(), run);
                     if (!index.has_value()) return false;
                     run.array_index = outer.has_value() ? outer : index;
                     return true;
                   });
}

bool ElemMatchNode::MatchesElement(const ElementView& element, MatchRun& run) const {
  return element.kind() == Kind::kArray && FirstMatch(element.AsDocument(), run).has_value();
}

bool ExprNode::Matches(DocumentView document, MatchRun& run) const {
  Answer<Value> value = EvaluateOn(*expression_, document, run.context);
  if (value.has_value()) return IsTrue(*value);
  if (!run.error.has_value()) run.error = std::move(value).error();
  return false;
}

bool WhereNode::Matches(DocumentView document, MatchRun& run) const {
  const Value self = document.ToObject();
  Answer<Value> value = run.context.scripts->Call(code_, {}, &self);
  if (value.has_value()) return IsTrue(*value);
  if (!run.error.has_value()) run.error = std::move(value).error();
  return false;
}

bool TextNode::Matches(DocumentView document, MatchRun& run) const {
  if (run.search == nullptr) return true;
  run.text_score = run.search->query.ScoreOf(document, run.search->rules);
  return run.text_score.has_value();
}

bool SampleNode::Matches(DocumentView, MatchRun& run) const {
  return rate_ >= 1 || (run.context.random != nullptr && run.context.random->Next() < rate_);
}

}  // namespace orrery::mongo
