// Compares what is found in a document's bytes with the same rules on decoded values: random
// documents, paths and constants of all kinds of BSON.
#include "model/match/mongo_match.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "model/compare.h"
#include "model/document/document_builder.h"
#include "model/document/json.h"
#include "model/expression/expression.h"
#include "model/number/decimal128.h"
#include "model/type_class.h"
#include "model/value_generator.h"

namespace orrery::model {
namespace {

constexpr uint64_t kMatchSeed = 7;
constexpr int kMatchRounds = 20'000;

bool IsNotANumber(const Value& value) {
  if (value.kind() == Kind::kDecimal128) return IsNan(value.AsDecimal128());
  return value.kind() == Kind::kDouble && std::isnan(value.AsDouble());
}

bool ValueMatches(const Value* value, Comparison comparison, const Value& constant) {
  const Value null = Value::Null();
  const Value& compared = value == nullptr ? null : *value;
  const bool includes_equal = comparison != Comparison::kLess && comparison != Comparison::kGreater;
  const auto is_nothing = [](const Value& of) { return of.is_null() || of.is_undefined(); };
  const bool is_end = constant.kind() == Kind::kMinKey || constant.kind() == Kind::kMaxKey;
  if (is_end && comparison != Comparison::kEqual)
    return Holds(comparison, Compare(compared, constant, Order::kMongo));
  if (is_nothing(constant)) return includes_equal && is_nothing(compared);
  if (value == nullptr ||
      ClassOf(compared.kind(), Order::kMongo) != ClassOf(constant.kind(), Order::kMongo))
    return false;
  const auto order = Compare(compared, constant, Order::kMongo);
  if (IsNotANumber(compared) || IsNotANumber(constant)) return order == 0 && includes_equal;
  return Holds(comparison, order);
}

// All values that the path leads to in decoded values; null for none.
void Follow(const Value& object, std::span<const std::string> path,
            std::vector<const Value*>& found) {
  const Value* at = object.Find(path.front());
  if (at == nullptr) return found.push_back(nullptr);
  const auto reach = [&found](const auto& self, const Value& value,
                              std::span<const std::string> rest) -> void {
    if (rest.empty()) {
      found.push_back(&value);
      if (value.kind() == Kind::kArray)
        for (const Value& element : value.AsValues()) found.push_back(&element);
      return;
    }
    if (value.kind() == Kind::kObject) return Follow(value, rest, found);
    if (value.kind() != Kind::kArray) return found.push_back(nullptr);
    const Values& elements = value.AsValues();
    for (size_t i = 0; i < elements.size(); ++i)
      if (std::to_string(i) == rest.front()) self(self, elements[i], rest.subspan(1));
    for (const Value& element : elements)
      if (element.kind() == Kind::kObject) Follow(element, rest, found);
  };
  reach(reach, *at, path.subspan(1));
}

TEST(MongoMatch, BytesAreMetAsValuesAre) {
  ValueGenerator generator(kMatchSeed);
  constexpr Operator kOperators[] = {Operator::kMongoEqual, Operator::kMongoLess,
                                     Operator::kMongoLessOrEqual, Operator::kMongoGreater,
                                     Operator::kMongoGreaterOrEqual};
  const std::string names[] = {"a", "b", "0", "1"};
  int met = 0;
  for (int i = 0; i < kMatchRounds; ++i) {
    Fields fields;
    for (const std::string& name : names) fields.push_back({name, generator.Any()});
    const Document document = ToDocument(Value::Object(std::move(fields)));
    // As BSON has it: other kinds became others.
    const Value decoded = document.view().ToObject();
    std::vector<std::string> path;
    for (size_t n = 1 + generator.Below(3); n > 0; --n) path.push_back(names[generator.Below(4)]);
    Value constant = generator.Any();
    std::vector<const Value*> found;
    Follow(decoded, path, found);
    // Often one that is there.
    if (!found.empty() && generator.Below(2) == 0) {
      const Value* one = found[generator.Below(found.size())];
      if (one != nullptr) constant = *one;
    }
    for (const Comparison comparison :
         {Comparison::kEqual, Comparison::kLess, Comparison::kLessOrEqual, Comparison::kGreater,
          Comparison::kGreaterOrEqual}) {
      const bool expected = std::ranges::any_of(
          found, [&](const Value* value) { return ValueMatches(value, comparison, constant); });
      ASSERT_EQ(MatchesMongo(document, path, comparison, constant), expected)
          << ToJson(decoded) << " seed " << kMatchSeed << " round " << i;
      const auto condition =
          Expression::Apply(kOperators[static_cast<size_t>(comparison)],
                            {Expression::Reference(Path(path)), Expression::Literal(constant)});
      ASSERT_TRUE(condition.has_value());
      ASSERT_EQ(Matches(*condition, document), expected);
      met += expected;
    }
  }
  EXPECT_GT(met, kMatchRounds / 4);
}

}  // namespace
}  // namespace orrery::model
