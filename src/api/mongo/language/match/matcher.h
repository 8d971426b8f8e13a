// A Matcher is a parsed query filter: it decides whether a document is wanted.
//
// It is exact; conditions.h says what of it an index can help with. Immutable and thread-safe.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>

#include "api/mongo/error/mongo_error.h"
#include "api/mongo/language/match/match_node.h"
#include "api/mongo/language/query_context.h"
#include "model/document/document.h"

namespace orrery::mongo {

// The result of a match beside yes: the element that the positional operators "$" mean, and how
// well the texts meet a $text.
struct MatchDetails {
  std::optional<size_t> array_index;
  std::optional<double> text_score = {};
};

// The operators that a filter may use, by where it stands.
struct MatchAllowances {
  bool near = true;   // $near, $nearSphere: not in pipelines, $or and the like
  bool text = true;   // $text
  bool where = true;  // $where
  bool expr = true;   // $expr
};

class Matcher {
 public:
  static Answer<std::shared_ptr<const Matcher>> Parse(model::DocumentView filter,
                                                      QueryContextPtr context,
                                                      MatchAllowances allowances = {});
  // The error is one of $expr, $where or $jsonSchema while they run.
  // `search` is the filter's $text, bound to an index; without it every document meets that.
  Answer<bool> Matches(model::DocumentView document, MatchDetails* details = nullptr,
                       const TextSearch* search = nullptr) const;

  // Returns whether every document matches, as of {}.
  bool is_always_true() const;
  const MatchNode& root() const { return *root_; }
  model::DocumentView filter() const { return filter_.view(); }
  const QueryContext& context() const { return *context_; }

  // The one $text or $near of the filter; nullptr if it has none. A $near matches every document
  // here: whoever measures distances decides.
  const TextNode* text() const { return text_; }
  const NearNode* near() const { return near_; }

 private:
  Matcher(model::Document filter, QueryContextPtr context)
      : filter_(std::move(filter)), context_(std::move(context)) {}

  model::Document filter_;
  QueryContextPtr context_;
  std::unique_ptr<const MatchNode> root_;
  const TextNode* text_ = nullptr;
  const NearNode* near_ = nullptr;
};

using MatcherPtr = std::shared_ptr<const Matcher>;

}  // namespace orrery::mongo
