#include <fmt/core.h>

#include <algorithm>

#include "api/mongo/language/expression/operator_table.h"
#include "api/mongo/language/sort/sort_pattern.h"
#include "api/mongo/language/value/bson_type_name.h"
#include "api/mongo/language/value/collator.h"
#include "api/mongo/language/value/number.h"
#include "api/mongo/language/value/stable_sort.h"
#include "api/mongo/language/value/work.h"
#include "model/document/document_builder.h"

namespace orrery::mongo {
namespace {

using model::Kind;
using model::Value;
using model::Values;

std::optional<int64_t> WholeNumber(const Value& value) {
  return value.is_number() ? ExactInt64(value) : std::nullopt;
}

std::string TypeText(const Value& value) { return std::string(BsonTypeName(value.kind())); }

Answer<Value> ArrayElemAt(const Call& call) {
  if (IsNullish(call[0]) || IsNullish(call[1])) return Value::Null();
  if (call[0].kind() != Kind::kArray) {
    return Refuse(28689, fmt::format("$arrayElemAt's first argument must be an array, but is {}",
                                     TypeText(call[0])));
  }
  if (!call[1].is_number()) {
    return Refuse(28690,
                  fmt::format("$arrayElemAt's second argument must be a numeric value, but is "
                              "{}",
                              TypeText(call[1])));
  }
  const std::optional<int64_t> index = WholeNumber(call[1]);
  if (!index.has_value() || *index != static_cast<int32_t>(*index)) {
    return Refuse(28691,
                  "$arrayElemAt's second argument must be representable as a 32-bit integer");
  }
  const Values& values = call[0].AsValues();
  const int64_t at = *index < 0 ? *index + static_cast<int64_t>(values.size()) : *index;
  if (at < 0 || at >= static_cast<int64_t>(values.size())) return Value::Undefined();
  return values[static_cast<size_t>(at)];
}

Answer<Value> EndOf(const Call& call) {
  if (IsNullish(call[0])) return Value::Null();
  if (call[0].kind() != Kind::kArray) {
    return Refuse(28689, fmt::format("{}'s argument must be an array, but is {}", call.name,
                                     TypeText(call[0])));
  }
  const Values& values = call[0].AsValues();
  if (values.empty()) return Value::Undefined();
  return call.name == "$first" ? values.front() : values.back();
}

Answer<Value> ConcatArrays(const Call& call) {
  Values joined;
  for (const Value& value : call.arguments) {
    if (IsNullish(value)) return Value::Null();
    if (value.kind() != Kind::kArray) {
      return Refuse(28664,
                    fmt::format("$concatArrays only supports arrays, not {}", TypeText(value)));
    }
    if (joined.size() + value.AsValues().size() > kMadeElementsMax)
      return Refuse(ErrorCode::kExceededMemoryLimit, "$concatArrays would make too many elements");
    joined.insert(joined.end(), value.AsValues().begin(), value.AsValues().end());
  }
  return Value::Array(std::move(joined));
}

Answer<Value> InArray(const Call& call) {
  if (call[1].kind() != Kind::kArray) {
    return Refuse(40081, fmt::format("$in requires an array as a second argument, found: {}",
                                     TypeText(call[1])));
  }
  return Value::Bool(std::ranges::any_of(call[1].AsValues(), [&](const Value& element) {
    return EqualValues(element, call[0], call.context.collator.get());
  }));
}

Answer<std::pair<int64_t, int64_t>> SearchRange(const Call& call, int64_t size) {
  int64_t bounds[2] = {0, size};
  for (size_t i = 2; i < call.size(); ++i) {
    const std::optional<int64_t> number = WholeNumber(call[i]);
    if (!number.has_value()) {
      return Refuse(40096,
                    fmt::format("{} requires an integral {} index, found a value of type: {}",
                                call.name, i == 2 ? "starting" : "ending", TypeText(call[i])));
    }
    if (*number < 0) {
      return Refuse(40097, fmt::format("{} requires a nonnegative {} index, found: {}", call.name,
                                       i == 2 ? "starting" : "ending", *number));
    }
    bounds[i - 2] = *number;
  }
  return std::pair(bounds[0], std::min(bounds[1], size));
}

Answer<Value> IndexOfArray(const Call& call) {
  if (IsNullish(call[0])) return Value::Null();
  if (call[0].kind() != Kind::kArray) {
    return Refuse(40090,
                  fmt::format("$indexOfArray requires an array as a first argument, found: {}",
                              TypeText(call[0])));
  }
  const Values& values = call[0].AsValues();
  MONGO_ASSIGN(const auto range, SearchRange(call, static_cast<int64_t>(values.size())));
  for (int64_t i = range.first; i < range.second; ++i) {
    if (EqualValues(values[static_cast<size_t>(i)], call[1], call.context.collator.get())) {
      return Value::Int32(static_cast<int32_t>(i));
    }
  }
  return Value::Int32(-1);
}

Outcome CheckSearchedArray(std::string_view, std::span<const ExpressionPtr> arguments) {
  const bool is_constant = std::ranges::all_of(
      arguments, [](const ExpressionPtr& argument) { return argument->constant() != nullptr; });
  if (is_constant) return {};
  const Value* array = arguments.front()->constant();
  if (array == nullptr || array->kind() == Kind::kArray || IsNullish(*array)) return {};
  return Refuse(50809,
                fmt::format("First operand of $indexOfArray must be an array. First argument "
                            "is of type: {}",
                            TypeText(*array)));
}

Answer<Value> IsArray(const Call& call) { return Value::Bool(call[0].kind() == Kind::kArray); }

Answer<Value> Range(const Call& call) {
  int64_t numbers[3] = {0, 0, 1};
  constexpr std::string_view kWords[] = {"starting", "ending", "step"};
  constexpr int32_t kTypeCodes[] = {34443, 34445, 34447};
  for (size_t i = 0; i < call.size(); ++i) {
    const std::optional<int64_t> number = WholeNumber(call[i]);
    if (!number.has_value() || *number != static_cast<int32_t>(*number)) {
      return Refuse(call[i].is_number() ? kTypeCodes[i] + 1 : kTypeCodes[i],
                    fmt::format("$range requires a numeric {} value that can be represented as a "
                                "32-bit integer, found value of type: {}",
                                kWords[i], TypeText(call[i])));
    }
    numbers[i] = *number;
  }
  if (numbers[2] == 0) return Refuse(34449, "$range requires a non-zero step value");
  Values values;
  for (int64_t at = numbers[0]; numbers[2] > 0 ? at < numbers[1] : at > numbers[1];
       at += numbers[2]) {
    if (values.size() == kMadeElementsMax) {
      return Refuse(ErrorCode::kExceededMemoryLimit, "$range would make too many elements");
    }
    MONGO_TRY(CountWork());
    values.push_back(Value::Int32(static_cast<int32_t>(at)));
  }
  return Value::Array(std::move(values));
}

Answer<Value> ReverseArray(const Call& call) {
  if (IsNullish(call[0])) return Value::Null();
  if (call[0].kind() != Kind::kArray) {
    return Refuse(34435,
                  fmt::format("The argument to $reverseArray must be an array, but was of type: "
                              "{}",
                              TypeText(call[0])));
  }
  Values values = call[0].AsValues();
  std::ranges::reverse(values);
  return Value::Array(std::move(values));
}

Answer<Value> Size(const Call& call) {
  if (call[0].kind() != Kind::kArray) {
    return Refuse(17124, fmt::format("The argument to $size must be an array, but was of type: {}",
                                     TypeText(call[0])));
  }
  return Value::Int32(static_cast<int32_t>(call[0].AsValues().size()));
}

Answer<Value> Slice(const Call& call) {
  if (IsNullish(call[0]) || IsNullish(call[1])) return Value::Null();
  if (call[0].kind() != Kind::kArray) {
    return Refuse(28724,
                  fmt::format("First argument to $slice must be an array, but is of type: {}",
                              TypeText(call[0])));
  }
  const Values& values = call[0].AsValues();
  const auto size = static_cast<int64_t>(values.size());
  const std::optional<int64_t> second = WholeNumber(call[1]);
  if (!second.has_value()) {
    return Refuse(
        call[1].is_number() ? 28726 : 28725,
        fmt::format("Second argument to $slice must be a numeric value, but is of type: {}",
                    TypeText(call[1])));
  }
  int64_t begin = 0;
  int64_t count = *second;
  if (call.size() == 3) {
    if (IsNullish(call[2])) return Value::Null();
    const std::optional<int64_t> third = WholeNumber(call[2]);
    if (!third.has_value()) {
      return Refuse(call[2].is_number() ? 28728 : 28727,
                    fmt::format("Third argument to $slice must be numeric, but is of type: {}",
                                TypeText(call[2])));
    }
    if (*third <= 0) {
      return Refuse(28729, fmt::format("Third argument to $slice must be positive: {}", *third));
    }
    begin = *second < 0 ? std::max<int64_t>(0, size + *second) : std::min(*second, size);
    count = *third;
  } else if (*second < 0) {
    begin = std::max<int64_t>(0, size + *second);
    count = size - begin;
  }
  const int64_t end = begin + std::min(count, size - begin);
  return Value::Array(Values(values.begin() + begin, values.begin() + end));
}

Answer<Value> ArrayToObject(const Call& call) {
  if (IsNullish(call[0])) return Value::Null();
  if (call[0].kind() != Kind::kArray) {
    return Refuse(
        40386, fmt::format("$arrayToObject requires an array input, found: {}", TypeText(call[0])));
  }
  model::Fields fields;
  for (const Value& entry : call[0].AsValues()) {
    const Value* key = nullptr;
    const Value* value = nullptr;
    if (entry.kind() == Kind::kArray) {
      if (entry.AsValues().size() != 2) {
        return Refuse(40397, fmt::format("$arrayToObject requires an array of size 2 arrays,found "
                                         "array of size: {}",
                                         entry.AsValues().size()));
      }
      key = &entry.AsValues()[0];
      value = &entry.AsValues()[1];
      if (key->kind() != Kind::kString) {
        return Refuse(40395,
                      fmt::format("$arrayToObject requires an array of key-value pairs, where "
                                  "the key must be of type string. Found key type: {}",
                                  TypeText(*key)));
      }
    } else if (entry.kind() == Kind::kObject) {
      if (entry.AsFields().size() != 2) {
        return Refuse(40392,
                      fmt::format("$arrayToObject requires an object keys of 'k' and 'v'. Found "
                                  "incorrect number of keys:{}",
                                  entry.AsFields().size()));
      }
      key = entry.Find("k");
      value = entry.Find("v");
      if (key == nullptr || value == nullptr) {
        return Refuse(40393,
                      "$arrayToObject requires an object with keys 'k' and 'v'. Missing either "
                      "or both keys from: " +
                          entry.AsFields().front().name);
      }
      if (key->kind() != Kind::kString) {
        return Refuse(40394,
                      fmt::format("$arrayToObject requires an object with keys 'k' and 'v', "
                                  "where the value of 'k' must be of type string. Found type: {}",
                                  TypeText(*key)));
      }
    } else {
      return Refuse(40398, fmt::format("Unrecognised input type format for $arrayToObject: {}",
                                       TypeText(entry)));
    }
    if (key->AsString().find('\0') != std::string::npos) {
      return Refuse(4940400, "Key field cannot contain an embedded null byte");
    }
    const auto same = std::ranges::find(fields, key->AsString(), &model::Field::name);
    if (same == fields.end()) {
      fields.push_back({key->AsString(), *value});
    } else {
      same->value = *value;
    }
  }
  return Value::Object(std::move(fields));
}

constexpr ListOperator kArrayOperators[] = {
    {"$arrayElemAt", 2, 2, ArrayElemAt},
    {"$first", 1, 1, EndOf},
    {"$last", 1, 1, EndOf},
    {"$concatArrays", 0, kAnyArguments, ConcatArrays, true, nullptr, NullStop::kEach},
    {"$in", 2, 2, InArray},
    {"$indexOfArray", 2, 4, IndexOfArray, true, CheckSearchedArray, NullStop::kFirst},
    {"$isArray", 1, 1, IsArray},
    {"$range", 2, 3, Range},
    {"$reverseArray", 1, 1, ReverseArray},
    {"$size", 1, 1, Size},
    {"$slice", 2, 3, Slice, true, nullptr, NullStop::kOneOfTwo},
    {"$arrayToObject", 1, 1, ArrayToObject},
};

Answer<Value> SortArray(const Call& call) {
  if (IsNullish(call[0])) return Value::Null();
  if (call[0].kind() != Kind::kArray) {
    return Refuse(2942504,
                  fmt::format("The input argument to $sortArray must be an array, but was of "
                              "type: {}",
                              TypeText(call[0])));
  }
  Values values = call[0].AsValues();
  const Collator* collator = call.context.collator.get();
  if (call[1].is_number()) {
    const std::optional<int64_t> direction = ExactInt64(call[1]);
    if (direction != 1 && direction != -1) {
      return Refuse(2942506, "The $sort element value must be either 1 or -1");
    }
    StableSort(values, [&](const Value& a, const Value& b) {
      const auto order = CompareValues(a, b, collator);
      return *direction > 0 ? order < 0 : order > 0;
    });
    return Value::Array(std::move(values));
  }
  if (call[1].kind() != Kind::kObject) {
    return Refuse(2942507,
                  "The $sort is invalid: use 1/-1 to sort the whole element, or "
                  "{field:1/-1} to sort embedded fields");
  }
  MONGO_ASSIGN(const SortPattern pattern, SortPattern::Parse(model::ToDocument(call[1])));
  std::vector<std::pair<SortKey, Value>> keyed;
  for (Value& value : values) {
    SortKey key = pattern.KeyOfElement(value, collator);
    keyed.emplace_back(std::move(key), std::move(value));
  }
  StableSort(keyed,
             [&](const auto& a, const auto& b) { return pattern.Compare(a.first, b.first) < 0; });
  values.clear();
  for (auto& [key, value] : keyed) values.push_back(std::move(value));
  return Value::Array(std::move(values));
}

Answer<Value> Zip(const Call& call) {
  if (IsNullish(call[0])) return Value::Null();
  if (call[0].kind() != Kind::kArray) {
    return Refuse(
        34461, fmt::format("inputs must be an array of expressions, found {}", TypeText(call[0])));
  }
  const bool use_longest = call.is_given(1) && call[1].kind() == Kind::kBool && call[1].AsBool();
  size_t length = use_longest ? 0 : SIZE_MAX;
  for (const Value& input : call[0].AsValues()) {
    if (IsNullish(input)) return Value::Null();
    if (input.kind() != Kind::kArray) {
      return Refuse(34468,
                    fmt::format("$zip found a non-array expression in input: {}", TypeText(input)));
    }
    const size_t size = input.AsValues().size();
    length = use_longest ? std::max(length, size) : std::min(length, size);
  }
  if (call[0].AsValues().empty()) return Refuse(34465, "$zip requires at least one input array");
  Values rows;
  for (size_t i = 0; i < length; ++i) {
    Values row;
    for (size_t j = 0; j < call[0].AsValues().size(); ++j) {
      const Values& input = call[0].AsValues()[j].AsValues();
      if (i < input.size()) {
        row.push_back(input[i]);
      } else if (call.is_given(2) && call[2].kind() == Kind::kArray &&
                 j < call[2].AsValues().size()) {
        row.push_back(call[2].AsValues()[j]);
      } else {
        row.push_back(Value::Null());
      }
    }
    rows.push_back(Value::Array(std::move(row)));
  }
  return Value::Array(std::move(rows));
}

Answer<Value> SomeOf(const Call& call) {
  const std::optional<int64_t> n = WholeNumber(call[0]);
  if (!n.has_value()) {
    return Refuse(5787902, fmt::format("Value for 'n' must be of integral type, but found {}",
                                       TypeText(call[0])));
  }
  if (*n <= 0) return Refuse(5787908, fmt::format("'n' must be greater than 0, found {}", *n));
  if (call[1].kind() != Kind::kArray) {
    return Refuse(5788200, "Input must be an array");
  }
  Values values = call[1].AsValues();
  if (call.name == "$maxN" || call.name == "$minN") {
    std::erase_if(values, [](const Value& value) { return IsNullish(value); });
    StableSort(values, [&](const Value& a, const Value& b) {
      const auto order = CompareValues(a, b, call.context.collator.get());
      return call.name == "$minN" ? order < 0 : order > 0;
    });
  }
  const size_t count = std::min(static_cast<size_t>(*n), values.size());
  if (call.name == "$lastN")
    return Value::Array(Values(values.end() - static_cast<std::ptrdiff_t>(count), values.end()));
  values.resize(count);
  return Value::Array(std::move(values));
}

constexpr NamedArgument kSortArrayArguments[] = {{"input", true}, {"sortBy", true, true}};
constexpr NamedArgument kZipArguments[] = {{"inputs", true}, {"useLongestLength"}, {"defaults"}};
constexpr NamedArgument kSomeArguments[] = {{"n", true}, {"input", true}};

constexpr NamedOperator kNamedArrayOperators[] = {
    {"$sortArray", kSortArrayArguments, SortArray, 2942500, 2942501, 2942502, false},
    {"$zip", kZipArguments, Zip, 34460, 34464, 34465, false},
    {"$firstN", kSomeArguments, SomeOf, 5787801, 5787901, 5787906, false},
    {"$lastN", kSomeArguments, SomeOf, 5787801, 5787901, 5787906, false},
    {"$maxN", kSomeArguments, SomeOf, 5787900, 5787901, 5787906, false},
    {"$minN", kSomeArguments, SomeOf, 5787900, 5787901, 5787906, false},
};

}  // namespace

std::span<const ListOperator> ArrayOperators() { return kArrayOperators; }
std::span<const NamedOperator> NamedArrayOperators() { return kNamedArrayOperators; }

}  // namespace orrery::mongo
