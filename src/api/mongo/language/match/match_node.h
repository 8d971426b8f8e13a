// The nodes of a parsed filter.
//
// A node is asked of whole documents; the conditions on one value are ValuePredicates
// (value_predicate.h). Immutable and thread-safe: what a match finds on the way is in the MatchRun.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "api/mongo/error/mongo_error.h"
#include "api/mongo/language/match/path_visit.h"
#include "api/mongo/language/match/value_predicate.h"
#include "api/mongo/language/query_context.h"
#include "api/mongo/language/value/field_path.h"
#include "model/document/document.h"

namespace orrery::mongo {

class Expression;
struct TextSearch;

// One document's way through a filter.
struct MatchRun {
  const QueryContext& context;
  OuterIndex array_index = {};           // of the last array that was matched through
  std::optional<MongoError> error = {};  // of the first expression that failed; then no match
  const TextSearch* search = nullptr;    // of the filter's $text; null: it matches every document
  std::optional<double> text_score = {};
};

class MatchNode {
 public:
  virtual ~MatchNode() = default;
  virtual bool Matches(model::DocumentView document, MatchRun& run) const = 0;
  // Returns whether one element of an array meets it by itself, as conditions in $elemMatch and
  // $pull are meant that name no field.
  virtual bool MatchesElement(const model::ElementView& element, MatchRun& run) const;
};

using MatchNodePtr = std::unique_ptr<const MatchNode>;
using MatchNodes = std::vector<MatchNodePtr>;

// All of the children; true without any.
class AndNode final : public MatchNode {
 public:
  explicit AndNode(MatchNodes children) : children_(std::move(children)) {}
  bool Matches(model::DocumentView document, MatchRun& run) const override;
  bool MatchesElement(const model::ElementView& element, MatchRun& run) const override;
  const MatchNodes& children() const { return children_; }

 private:
  MatchNodes children_;
};

class OrNode final : public MatchNode {
 public:
  explicit OrNode(MatchNodes children) : children_(std::move(children)) {}
  bool Matches(model::DocumentView document, MatchRun& run) const override;
  bool MatchesElement(const model::ElementView& element, MatchRun& run) const override;
  const MatchNodes& children() const { return children_; }

 private:
  MatchNodes children_;
};

class NotNode final : public MatchNode {
 public:
  explicit NotNode(MatchNodePtr child) : child_(std::move(child)) {}
  bool Matches(model::DocumentView document, MatchRun& run) const override;
  bool MatchesElement(const model::ElementView& element, MatchRun& run) const override;
  const MatchNode& child() const { return *child_; }

 private:
  MatchNodePtr child_;
};

// $alwaysTrue, $alwaysFalse, $all of nothing.
class ConstantNode final : public MatchNode {
 public:
  explicit ConstantNode(bool matches) : matches_(matches) {}
  bool Matches(model::DocumentView, MatchRun&) const override { return matches_; }
  bool MatchesElement(const model::ElementView&, MatchRun&) const override { return matches_; }
  bool matches() const { return matches_; }

 private:
  bool matches_;
};

// A test of the values that a path leads to: one must pass.
class PathNode final : public MatchNode {
 public:
  PathNode(FieldPath path, ValuePredicatePtr test)
      : path_(std::move(path)), test_(std::move(test)) {}
  bool Matches(model::DocumentView document, MatchRun& run) const override;
  bool MatchesElement(const model::ElementView& element, MatchRun& run) const override;
  const FieldPath& path() const { return path_; }
  const ValuePredicate& test() const { return *test_; }

 private:
  FieldPath path_;
  ValuePredicatePtr test_;
};

// $elemMatch: an array at the path has an element that meets the condition, which is one of fields
// (then the element is an object or an array) or of the value itself.
class ElemMatchNode final : public MatchNode {
 public:
  ElemMatchNode(FieldPath path, MatchNodePtr condition, bool is_of_fields)
      : path_(std::move(path)), condition_(std::move(condition)), is_of_fields_(is_of_fields) {}
  bool Matches(model::DocumentView document, MatchRun& run) const override;
  bool MatchesElement(const model::ElementView& element, MatchRun& run) const override;
  const FieldPath& path() const { return path_; }
  const MatchNode& condition() const { return *condition_; }
  bool is_of_fields() const { return is_of_fields_; }
  // The index of the first element that matches.
  std::optional<size_t> FirstMatch(model::DocumentView array, MatchRun& run) const;

 private:
  FieldPath path_;
  MatchNodePtr condition_;
  bool is_of_fields_;
};

class ExprNode final : public MatchNode {
 public:
  explicit ExprNode(std::shared_ptr<const Expression> expression)
      : expression_(std::move(expression)) {}
  bool Matches(model::DocumentView document, MatchRun& run) const override;
  const Expression& expression() const { return *expression_; }

 private:
  std::shared_ptr<const Expression> expression_;
};

class WhereNode final : public MatchNode {
 public:
  explicit WhereNode(std::string code) : code_(std::move(code)) {}
  bool Matches(model::DocumentView document, MatchRun& run) const override;

 private:
  std::string code_;
};

// $sampleRate: each document with the given probability.
class SampleNode final : public MatchNode {
 public:
  explicit SampleNode(double rate) : rate_(rate) {}
  bool Matches(model::DocumentView document, MatchRun& run) const override;

 private:
  double rate_;
};

// $text: by the text index of the collection, which the run knows (TextSearch).
class TextNode final : public MatchNode {
 public:
  struct Search {
    std::string text;
    std::string language;  // empty: the index's default
    bool is_case_sensitive = false;
    bool is_diacritic_sensitive = false;
  };
  explicit TextNode(Search search) : search_(std::move(search)) {}
  bool Matches(model::DocumentView document, MatchRun& run) const override;
  const Search& search() const { return search_; }

 private:
  Search search_;
};

// $near and $nearSphere: documents come by distance from an index; here every one matches.
class NearNode final : public MatchNode {
 public:
  struct Search {
    FieldPath path;
    model::Value near;  // a GeoJSON point or a legacy pair
    bool is_geo_json = false;
    bool is_spherical = false;
    std::optional<double> distance_min = {};  // metres, or radians or units of a legacy pair
    std::optional<double> distance_max = {};
  };
  explicit NearNode(Search search) : search_(std::move(search)) {}
  bool Matches(model::DocumentView, MatchRun&) const override { return true; }
  const Search& search() const { return search_; }

 private:
  Search search_;
};

}  // namespace orrery::mongo
