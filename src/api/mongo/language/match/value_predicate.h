// A ValuePredicate is a condition on one value, as filters put them after a path.
//
// It is asked of each element that the path leads to, with nullptr where there is none. Immutable
// and thread-safe.
#pragma once

#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "api/mongo/language/match/path_visit.h"
#include "api/mongo/language/query_context.h"
#include "api/mongo/language/value/pattern.h"
#include "model/document/document.h"
#include "model/value.h"
#include "query/predicate/comparison.h"

namespace orrery::mongo {

class ValuePredicate {
 public:
  virtual ~ValuePredicate() = default;
  virtual bool Passes(const model::ElementView* element, const QueryContext& context) const = 0;
  virtual LeafArrays leaf_arrays() const { return LeafArrays::kEach; }
};

using ValuePredicatePtr = std::unique_ptr<const ValuePredicate>;

// $eq, $lt, $lte, $gt, $gte: among values of one type; MinKey and MaxKey compare with all.
class ComparisonTest final : public ValuePredicate {
 public:
  ComparisonTest(query::Comparison comparison, model::Value value);
  bool Passes(const model::ElementView* element, const QueryContext& context) const override;
  query::Comparison comparison() const { return comparison_; }
  const model::Value& value() const { return value_; }

 private:
  query::Comparison comparison_;
  model::Value value_;
  bool is_nan_;
};

// $in: equal to one of the values, or matched by one of the patterns.
class InTest final : public ValuePredicate {
 public:
  InTest(std::vector<model::Value> values, std::vector<PatternPtr> patterns,
         std::shared_ptr<const Collator> collator);
  bool Passes(const model::ElementView* element, const QueryContext& context) const override;
  const std::vector<model::Value>& values() const { return values_; }
  const std::vector<PatternPtr>& patterns() const { return patterns_; }

 private:
  std::vector<model::Value> values_;  // in BSON's order, each once
  std::vector<PatternPtr> patterns_;
  std::shared_ptr<const Collator> collator_;
  bool has_null_ = false;
};

// A string that the pattern is found in, or the same regular expression stored.
class RegexTest final : public ValuePredicate {
 public:
  explicit RegexTest(PatternPtr pattern) : pattern_(std::move(pattern)) {}
  bool Passes(const model::ElementView* element, const QueryContext& context) const override;
  const Pattern& pattern() const { return *pattern_; }

 private:
  PatternPtr pattern_;
};

class ExistsTest final : public ValuePredicate {
 public:
  bool Passes(const model::ElementView* element, const QueryContext&) const override {
    return element != nullptr;
  }
  LeafArrays leaf_arrays() const override { return LeafArrays::kWhole; }
};

class TypeTest final : public ValuePredicate {
 public:
  explicit TypeTest(std::set<uint8_t> bson_types, LeafArrays leaf = LeafArrays::kEach)
      : bson_types_(std::move(bson_types)), leaf_(leaf) {}
  bool Passes(const model::ElementView* element, const QueryContext&) const override {
    return element != nullptr && bson_types_.contains(element->bson_type());
  }
  LeafArrays leaf_arrays() const override { return leaf_; }
  const std::set<uint8_t>& bson_types() const { return bson_types_; }

 private:
  std::set<uint8_t> bson_types_;
  LeafArrays leaf_;
};

class SizeTest final : public ValuePredicate {
 public:
  explicit SizeTest(int64_t size) : size_(size) {}
  bool Passes(const model::ElementView* element, const QueryContext&) const override;
  LeafArrays leaf_arrays() const override { return LeafArrays::kWhole; }
  int64_t size() const { return size_; }

 private:
  int64_t size_;
};

class ModTest final : public ValuePredicate {
 public:
  ModTest(int64_t divisor, int64_t remainder) : divisor_(divisor), remainder_(remainder) {}
  bool Passes(const model::ElementView* element, const QueryContext&) const override;

 private:
  int64_t divisor_;
  int64_t remainder_;
};

// $bitsAllSet and the like, over whole numbers (as two's complement, endless) and binary data.
class BitsTest final : public ValuePredicate {
 public:
  enum class Wanted : uint8_t { kAllSet, kAllClear, kAnySet, kAnyClear };
  BitsTest(Wanted wanted, std::vector<uint32_t> positions)
      : wanted_(wanted), positions_(std::move(positions)) {}
  bool Passes(const model::ElementView* element, const QueryContext&) const override;

 private:
  Wanted wanted_;
  std::vector<uint32_t> positions_;
};

}  // namespace orrery::mongo
