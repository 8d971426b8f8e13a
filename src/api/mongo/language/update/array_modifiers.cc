#include <fmt/core.h>

#include <algorithm>
#include <optional>

#include "api/mongo/language/match/filter_parser.h"
#include "api/mongo/language/sort/sort_pattern.h"
#include "api/mongo/language/update/modifier.h"
#include "api/mongo/language/value/bson_type_name.h"
#include "api/mongo/language/value/collator.h"
#include "api/mongo/language/value/number.h"
#include "api/mongo/language/value/print.h"
#include "api/mongo/language/value/stable_sort.h"
#include "model/document/document_builder.h"

namespace orrery::mongo {

using model::Field;
using model::Fields;
using model::Kind;
using model::Value;
using model::Values;

namespace {

class PushModifier final : public Modifier {
 public:
  Answer<bool> Apply(Value& value, const ModifierSite& site) const override {
    const bool was_absent = value.is_undefined();
    if (was_absent) value = Value::Array({});
    if (value.kind() != Kind::kArray) {
      return Refuse(ErrorCode::kBadValue,
                    fmt::format("The field '{}' must be an array but is of type {} in document {}",
                                site.path, BsonTypeName(value.kind()), DocumentName(site.id)));
    }
    const Value before = value;
    Values& array = value.MutableValues();
    auto size = static_cast<int64_t>(array.size());
    int64_t at = position.value_or(size);
    at = at < 0 ? std::max<int64_t>(0, size + at) : std::min(at, size);
    array.insert(array.begin() + at, each.begin(), each.end());
    if (sort.has_value() || sort_value != 0) Sort(array);
    if (slice.has_value()) {
      size = static_cast<int64_t>(array.size());
      if (*slice >= 0 && *slice < size) {
        array.resize(static_cast<size_t>(*slice));
      } else if (*slice < 0 && -*slice < size) {
        array.erase(array.begin(), array.begin() + (size + *slice));
      }
    }
    const bool is_sorted = sort.has_value() || sort_value != 0;
    // Sorting counts as a change, whatever it changed.
    return was_absent || is_sorted || value != before;
  }

  Values each;
  std::optional<int64_t> position;
  std::optional<int64_t> slice;
  std::optional<SortPattern> sort;  // by fields of the elements
  int sort_value = 0;               // 1 or -1: by the elements themselves
  std::shared_ptr<const Collator> collator;

  bool appends() const override { return true; }

 private:
  void Sort(Values& array) const {
    if (sort_value != 0) {
      StableSort(array, [&](const Value& a, const Value& b) {
        const auto order = CompareValues(a, b, collator.get());
        return sort_value > 0 ? order < 0 : order > 0;
      });
      return;
    }
    std::vector<std::pair<SortKey, Value>> keyed;
    for (Value& element : array) {
      SortKey key = sort->KeyOfElement(element, collator.get());
      keyed.emplace_back(std::move(key), std::move(element));
    }
    StableSort(keyed,
               [&](const auto& a, const auto& b) { return sort->Compare(a.first, b.first) < 0; });
    array.clear();
    for (auto& [key, element] : keyed) array.push_back(std::move(element));
  }
};

class AddToSetModifier final : public Modifier {
 public:
  AddToSetModifier(Values values, std::shared_ptr<const Collator> collator)
      : values_(std::move(values)), collator_(std::move(collator)) {}
  Answer<bool> Apply(Value& value, const ModifierSite& site) const override {
    bool is_changed = value.is_undefined();
    if (value.is_undefined()) value = Value::Array({});
    if (value.kind() != Kind::kArray) {
      return Refuse(ErrorCode::kBadValue,
                    fmt::format("Cannot apply $addToSet to non-array field. Field named '{}' has "
                                "non-array type {}",
                                site.field, BsonTypeName(value.kind())));
    }
    Values& array = value.MutableValues();
    for (const Value& element : values_) {
      const bool is_there = std::ranges::any_of(
          array, [&](const Value& other) { return EqualValues(element, other, collator_.get()); });
      if (is_there) continue;
      array.push_back(element);
      is_changed = true;
    }
    return is_changed;
  }

 private:
  Values values_;
  std::shared_ptr<const Collator> collator_;
};

class PopModifier final : public Modifier {
 public:
  explicit PopModifier(bool from_front) : from_front_(from_front) {}
  Answer<bool> Apply(Value& value, const ModifierSite& site) const override {
    if (value.kind() != Kind::kArray) {
      return Refuse(ErrorCode::kTypeMismatch,
                    fmt::format("Path '{}' contains an element of non-array type '{}'", site.path,
                                BsonTypeName(value.kind())));
    }
    Values& array = value.MutableValues();
    if (array.empty()) return false;
    array.erase(from_front_ ? array.begin() : array.end() - 1);
    return true;
  }
  bool creates() const override { return false; }

 private:
  bool from_front_;
};

// $pull and $pullAll.
class PullModifier final : public Modifier {
 public:
  Answer<bool> Apply(Value& value, const ModifierSite&) const override {
    if (value.kind() != Kind::kArray) {
      return Refuse(ErrorCode::kBadValue, "Cannot apply $pull to a non-array value");
    }
    std::optional<MongoError> error;
    const size_t removed = std::erase_if(value.MutableValues(), [&](const Value& element) {
      return !error.has_value() && IsPulled(element, error);
    });
    if (error.has_value()) return std::unexpected(*std::move(error));
    return removed > 0;
  }
  bool creates() const override { return false; }

  Values equal_to;         // any of these
  MatchNodePtr condition;  // or this
  bool is_of_fields = false;
  QueryContext context;

 private:
  bool IsPulled(const Value& element, std::optional<MongoError>& error) const {
    if (condition == nullptr) {
      return std::ranges::any_of(equal_to, [&](const Value& value) {
        return EqualValues(element, value, context.collator.get());
      });
    }
    MatchRun run{.context = context};
    const model::Document holder = std::move(model::DocumentBuilder().Append("", element)).Finish();
    const model::ElementView view = *holder.view().begin();
    const bool matches =
        is_of_fields ? element.kind() == Kind::kObject && condition->Matches(view.AsDocument(), run)
                     : condition->MatchesElement(view, run);
    error = std::move(run.error);
    return matches;
  }
};

Answer<int64_t> IntegerClause(const std::string& clause, const Value& value) {
  if (!value.is_number()) {
    return Refuse(ErrorCode::kBadValue,
                  fmt::format("The value for {} must be an integer value but was given type: {}",
                              clause, BsonTypeName(value.kind())));
  }
  const std::optional<int64_t> number = ExactInt64(value);
  if (!number.has_value()) {
    return Refuse(ErrorCode::kBadValue,
                  fmt::format("The value for {} must be an integer value but was given type: {}",
                              clause, BsonTypeName(value.kind())));
  }
  return *number;
}

Outcome ParsePushSort(PushModifier& push, const Value& value) {
  if (value.is_number()) {
    const std::optional<int64_t> direction = ExactInt64(value);
    if (direction != 1 && direction != -1) {
      return Refuse(ErrorCode::kBadValue, "The $sort element value must be either 1 or -1");
    }
    push.sort_value = static_cast<int>(*direction);
    return {};
  }
  if (value.kind() != Kind::kObject) {
    return Refuse(ErrorCode::kBadValue,
                  "The $sort is invalid: use 1/-1 to sort the whole element, or {field:1/-1} to "
                  "sort embedded fields");
  }
  if (value.AsFields().empty()) {
    return Refuse(ErrorCode::kBadValue,
                  "The $sort pattern is empty when it should be a set of fields.");
  }
  for (const Field& field : value.AsFields()) {
    const std::optional<int64_t> direction =
        field.value.is_number() ? ExactInt64(field.value) : std::nullopt;
    if (direction != 1 && direction != -1) {
      return Refuse(ErrorCode::kBadValue, "The $sort element value must be either 1 or -1");
    }
    if (field.name.empty()) {
      return Refuse(ErrorCode::kBadValue, "The $sort field cannot be empty");
    }
  }
  MONGO_ASSIGN(push.sort, SortPattern::Parse(model::ToDocument(value)));
  return {};
}

Answer<ModifierPtr> ParsePush(const Value& operand, const QueryContext& context) {
  auto push = std::make_shared<PushModifier>();
  push->collator = context.collator;
  const Value* each = operand.Find("$each");
  if (each == nullptr) {
    push->each.push_back(operand);
    return push;
  }
  for (const Field& field : operand.AsFields()) {
    if (field.name == "$each") {
      if (field.value.kind() != Kind::kArray) {
        return Refuse(ErrorCode::kBadValue,
                      fmt::format("The argument to $each in $push must be an array but it was of "
                                  "type: {}",
                                  BsonTypeName(field.value.kind())));
      }
      push->each = field.value.AsValues();
    } else if (field.name == "$slice") {
      MONGO_ASSIGN(push->slice, IntegerClause("$slice", field.value));
    } else if (field.name == "$position") {
      MONGO_ASSIGN(push->position, IntegerClause("$position", field.value));
    } else if (field.name == "$sort") {
      MONGO_TRY(ParsePushSort(*push, field.value));
    } else {
      return Refuse(ErrorCode::kBadValue,
                    fmt::format("Unrecognized clause in $push: {}", field.name));
    }
  }
  return push;
}

Answer<ModifierPtr> ParseAddToSet(const Value& operand, const QueryContext& context) {
  const bool has_each = operand.kind() == Kind::kObject && !operand.AsFields().empty() &&
                        operand.AsFields().front().name == "$each";
  Values values{operand};
  if (has_each) {
    if (operand.AsFields().size() > 1) {
      return Refuse(
          ErrorCode::kBadValue,
          fmt::format("Found unexpected fields after $each in $addToSet: {}", PrintBson(operand)));
    }
    const Value& each = operand.AsFields().front().value;
    if (each.kind() != Kind::kArray) {
      return Refuse(ErrorCode::kTypeMismatch,
                    fmt::format("The argument to $each in $addToSet must be an array but it was of "
                                "type {}",
                                BsonTypeName(each.kind())));
    }
    values = each.AsValues();
  }
  return std::make_shared<AddToSetModifier>(std::move(values), context.collator);
}

Answer<ModifierPtr> ParsePop(const Value& operand) {
  const std::optional<int64_t> end = operand.is_number() ? ExactInt64(operand) : std::nullopt;
  if (!operand.is_number()) {
    return Refuse(ErrorCode::kFailedToParse,
                  fmt::format("Expected a number in: {}", PrintElement("$pop", operand)));
  }
  if (end != 1 && end != -1) {
    return Refuse(ErrorCode::kFailedToParse,
                  fmt::format("$pop expects 1 or -1, found: {}", PrintBson(operand)));
  }
  return std::make_shared<PopModifier>(end == -1);
}

Answer<ModifierPtr> ParsePull(const Value& operand, const QueryContext& context) {
  auto pull = std::make_shared<PullModifier>();
  pull->context = context;
  if (operand.kind() != Kind::kObject && operand.kind() != Kind::kRegex) {
    pull->equal_to = {operand};
    return pull;
  }
  FilterParser parser(pull->context, {.near = false, .text = false, .where = false, .expr = false});
  // $and, $or and $nor are of the fields of elements, as is $not, which is refused there; other
  // operators are of elements themselves.
  const std::string first = operand.kind() == Kind::kObject && !operand.AsFields().empty()
                                ? operand.AsFields().front().name
                                : std::string();
  const bool is_logic = first == "$and" || first == "$or" || first == "$nor" || first == "$not";
  if (!is_logic && (operand.kind() == Kind::kRegex || FilterParser::IsOperators(operand))) {
    MONGO_ASSIGN(pull->condition, parser.ParseCondition(FieldPath(), operand));
    return pull;
  }
  pull->is_of_fields = true;
  MONGO_ASSIGN(pull->condition, parser.ParseFilter(operand.AsFields()));
  return pull;
}

Answer<ModifierPtr> ParsePullAll(const Value& operand, const QueryContext& context) {
  if (operand.kind() != Kind::kArray) {
    return Refuse(ErrorCode::kBadValue,
                  fmt::format("$pullAll requires an array argument but was given a {}",
                              BsonTypeName(operand.kind())));
  }
  auto pull = std::make_shared<PullModifier>();
  pull->context = context;
  pull->equal_to = operand.AsValues();
  return pull;
}

}  // namespace

Answer<ModifierPtr> ParseArrayModifier(const std::string& name, const std::string&,
                                       const Value& operand, const QueryContext& context) {
  if (name == "$push") return ParsePush(operand, context);
  if (name == "$addToSet") return ParseAddToSet(operand, context);
  if (name == "$pop") return ParsePop(operand);
  if (name == "$pull") return ParsePull(operand, context);
  if (name == "$pullAll") return ParsePullAll(operand, context);
  return nullptr;
}

}  // namespace orrery::mongo
