#include <fmt/core.h>

#include <algorithm>

#include "api/mongo/language/accumulator/accumulator.h"
#include "api/mongo/language/expression/path_value.h"
#include "api/mongo/language/sort/sort_pattern.h"
#include "api/mongo/language/value/bson_type_name.h"
#include "api/mongo/language/value/number.h"
#include "model/document/document_builder.h"
#include "model/number/number.h"
#include "model/value_size.h"

namespace orrery::mongo {

using model::Field;
using model::Kind;
using model::Value;
using model::Values;

namespace {

// A ListRule says which of the values are kept: the first or last, the smallest or largest.
struct ListRule {
  bool by_order = false;     // by the order of sort keys or values, else by arrival
  bool from_end = false;     // last, largest, bottom
  bool is_single = false;    // $top and $bottom give a value, the others an array
  bool skips_nulls = false;  // $minN and $maxN
};

class ListAccumulator final : public Accumulator {
 public:
  ListAccumulator(ListRule rule, size_t n, std::optional<SortPattern> sort,
                  std::shared_ptr<const Collator> collator)
      : rule_(rule), n_(n), sort_(std::move(sort)), collator_(std::move(collator)) {}

  Outcome Add(Value value) override {
    if (rule_.skips_nulls && IsNullish(value)) return {};
    if (!rule_.by_order) {
      if (!rule_.from_end && entries_.size() == n_) return {};
      entries_.push_back({{}, value.is_undefined() ? Value::Null() : std::move(value)});
      if (entries_.size() > n_) entries_.erase(entries_.begin());
      return {};
    }
    Entry entry = EntryOf(std::move(value));
    const auto at = std::ranges::upper_bound(
        entries_, entry, [&](const Entry& a, const Entry& b) { return Before(a, b); });
    entries_.insert(at, std::move(entry));
    if (entries_.size() > n_) {
      entries_.erase(rule_.from_end ? entries_.begin() : entries_.end() - 1);
    }
    return {};
  }

  Answer<Value> Result() const override {
    Values values;
    for (const Entry& entry : entries_) values.push_back(entry.value);
    if (rule_.skips_nulls && rule_.from_end) std::ranges::reverse(values);
    if (rule_.is_single) return values.empty() ? Value::Null() : values.front();
    return Value::Array(std::move(values));
  }
  size_t bytes() const override { return 64 + entries_.size() * 64; }

 private:
  struct Entry {
    SortKey key;
    Value value;
  };

  Entry EntryOf(Value value) const {
    if (!sort_.has_value()) return {{value}, std::move(value)};
    // [key, output] as the spec evaluated it.
    Values& pair = value.MutableValues();
    return {pair[0].AsValues(), std::move(pair[1])};
  }
  bool Before(const Entry& a, const Entry& b) const {
    if (sort_.has_value()) return sort_->Compare(a.key, b.key) < 0;
    return CompareValues(a.key.front(), b.key.front(), collator_.get()) < 0;
  }

  ListRule rule_;
  size_t n_;
  std::optional<SortPattern> sort_;
  std::shared_ptr<const Collator> collator_;
  std::vector<Entry> entries_;
};

class ListSpec final : public AccumulatorSpec {
 public:
  std::unique_ptr<Accumulator> Make() const override {
    return std::make_unique<ListAccumulator>(rule, n, sort, collator);
  }
  Answer<Value> Evaluate(Evaluation& evaluation) const override {
    MONGO_ASSIGN(Value value, input->Evaluate(evaluation));
    if (!sort.has_value()) return value;
    MONGO_ASSIGN(SortKey key, KeyOf(evaluation));
    if (value.is_undefined()) value = Value::Null();
    return Value::Array({Value::Array(std::move(key)), std::move(value)});
  }

  ListRule rule;
  size_t n = 1;
  ExpressionPtr input;
  std::optional<SortPattern> sort;
  std::shared_ptr<const Collator> collator;

 private:
  // The paths' values as expressions have them: an array is one value, not its least element.
  Answer<SortKey> KeyOf(const Evaluation& evaluation) const {
    SortKey key;
    bool has_array = false;
    for (const SortPart& part : sort->parts()) {
      if (part.meta != SortPart::Meta::kNone) {
        const Row row{model::Document::Trusted(std::string(evaluation.root.bson()))};
        return sort->KeyOf(row, collator.get());
      }
      Value value = ValueAtPath(evaluation.root, part.steps);
      if (value.kind() == Kind::kArray) {
        if (has_array) {
          return Refuse(ErrorCode::kBadValue, "cannot sort with keys that are parallel arrays");
        }
        has_array = true;
        if (value.AsValues().empty()) value = Value::Undefined();
      } else if (value.is_undefined()) {
        value = Value::Null();
      }
      key.push_back(collator == nullptr ? std::move(value) : Collated(value, *collator));
    }
    return key;
  }
};

class PercentileAccumulator final : public Accumulator {
 public:
  PercentileAccumulator(std::vector<double> fractions, bool is_median)
      : fractions_(std::move(fractions)), is_median_(is_median) {}
  Outcome Add(Value value) override {
    if (value.is_number()) numbers_.push_back(model::ToDouble(value));
    return {};
  }
  Answer<Value> Result() const override { return PercentilesOf(numbers_, fractions_, is_median_); }
  size_t bytes() const override { return 64 + numbers_.size() * sizeof(double); }

 private:
  std::vector<double> fractions_;
  bool is_median_;
  std::vector<double> numbers_;
};

class PercentileSpec final : public AccumulatorSpec {
 public:
  std::unique_ptr<Accumulator> Make() const override {
    return std::make_unique<PercentileAccumulator>(fractions, is_median);
  }
  Answer<Value> Evaluate(Evaluation& evaluation) const override {
    return input->Evaluate(evaluation);
  }

  ExpressionPtr input;
  std::vector<double> fractions;
  bool is_median = false;
};

Answer<AccumulatorSpecPtr> ParsePercentile(ExpressionParser& parser, const std::string& name,
                                           const Value& argument) {
  auto spec = std::make_shared<PercentileSpec>();
  spec->is_median = name == "$median";
  if (spec->is_median) spec->fractions = {0.5};
  for (const Field& field : argument.AsFields()) {
    if (field.name == "input") {
      MONGO_ASSIGN(spec->input, parser.Parse(field.value));
    } else if (field.name == "p" && !spec->is_median) {
      MONGO_ASSIGN(const ExpressionPtr list, parser.Parse(field.value));
      const Value* values = list->constant();
      const bool is_list =
          values != nullptr && values->kind() == Kind::kArray && !values->AsValues().empty();
      if (!is_list) {
        return Refuse(7750300,
                      "The $percentile 'p' field must be an array of numbers from [0.0, "
                      "1.0]");
      }
      for (const Value& fraction : values->AsValues()) {
        if (!fraction.is_number() ||
            !(model::ToDouble(fraction) >= 0 && model::ToDouble(fraction) <= 1)) {
          return Refuse(7750302,
                        "The $percentile 'p' field must be an array of numbers from [0.0, "
                        "1.0]");
        }
        spec->fractions.push_back(model::ToDouble(fraction));
      }
    } else if (field.name == "method") {
      if (field.value.kind() != Kind::kString || field.value.AsString() != "approximate") {
        return Refuse(ErrorCode::kBadValue,
                      "Currently only 'approximate' can be used as percentile 'method'.");
      }
    } else {
      return Refuse(40415,
                    fmt::format("BSON field '{}.{}' is an unknown field.", name, field.name));
    }
  }
  if (spec->input == nullptr || spec->fractions.empty()) {
    return Refuse(40414, fmt::format("BSON field '{}.{}' is missing but a required field", name,
                                     spec->input == nullptr ? "input" : "p"));
  }
  return spec;
}

Answer<size_t> ParseCount(ExpressionParser& parser, const std::string& name, const Value& value) {
  MONGO_ASSIGN(const ExpressionPtr expression, parser.Parse(value));
  const Value* constant = expression->constant();
  const std::optional<int64_t> n = constant != nullptr && constant->is_number()
                                       ? ExactInt64(*constant)
                                       : std::optional<int64_t>();
  if (!n.has_value()) {
    return Refuse(5787902,
                  fmt::format("Value for 'n' must be of integral type, but found {}",
                              constant == nullptr ? "expression" : BsonTypeName(constant->kind())));
  }
  if (*n <= 0) {
    return Refuse(5787908, fmt::format("'n' must be greater than 0, found {}", *n));
  }
  static_cast<void>(name);
  return static_cast<size_t>(*n);
}

}  // namespace

Answer<AccumulatorSpecPtr> ParseListAccumulator(ExpressionParser& parser, const std::string& name,
                                                const Value& argument) {
  if (argument.kind() != Kind::kObject) {
    return Refuse(5787900, fmt::format("specification must be an object; found {}",
                                       BsonTypeName(argument.kind())));
  }
  if (name == "$percentile" || name == "$median") return ParsePercentile(parser, name, argument);
  auto spec = std::make_shared<ListSpec>();
  spec->collator = parser.context().collator;
  const bool is_sorted = name.starts_with("$top") || name.starts_with("$bottom");
  const bool is_extreme = name == "$maxN" || name == "$minN";
  spec->rule = {.by_order = is_sorted || is_extreme,
                .from_end = name == "$lastN" || name == "$maxN" || name.starts_with("$bottom"),
                .is_single = name == "$top" || name == "$bottom",
                .skips_nulls = is_extreme};
  bool has_n = spec->rule.is_single;
  for (const Field& field : argument.AsFields()) {
    if (field.name == "n" && !spec->rule.is_single) {
      MONGO_ASSIGN(spec->n, ParseCount(parser, name, field.value));
      has_n = true;
    } else if (field.name == (is_sorted ? "output" : "input")) {
      MONGO_ASSIGN(spec->input, parser.Parse(field.value));
    } else if (is_sorted && field.name == "sortBy") {
      if (field.value.kind() != Kind::kObject) {
        return Refuse(10065, "invalid parameter: expected an object (sortBy)");
      }
      MONGO_ASSIGN(spec->sort, SortPattern::Parse(model::ToDocument(field.value)));
    } else {
      return Refuse(5787901, fmt::format("Unknown argument for 'n' operator: {}", field.name));
    }
  }
  if (!has_n) return Refuse(5787906, fmt::format("Missing value for 'n'"));
  if (spec->input == nullptr) {
    return Refuse(is_sorted ? 5788004 : 5787907,
                  fmt::format("Missing value for '{}'", is_sorted ? "output" : "input"));
  }
  if (is_sorted && !spec->sort.has_value()) {
    return Refuse(5788005, "Missing value for 'sortBy'");
  }
  return spec;
}

}  // namespace orrery::mongo
