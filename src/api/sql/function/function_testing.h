// Tables of calls for tests: a function's name, its arguments and its result, as text.
//
// Text is JSON, with undefined, NaN and the infinities besides.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <initializer_list>
#include <limits>
#include <string>
#include <string_view>

#include "api/sql/function/function_registry.h"
#include "model/document/json.h"
#include "model/value_text.h"

namespace orrery::sql {

// Always the same numbers, evenly spread.
class FixedRandom final : public RandomSource {
 public:
  double Next() override { return next_ = std::fmod(next_ + 0.375, 1.0); }

 private:
  double next_ = 0;
};

// Turns the stand-ins that ParseText wrote back into what JSON cannot say.
inline void Restore(Value& value) {
  if (value.kind() == model::Kind::kString) {
    if (value.AsString() == "<undefined>")
      value = Value::Undefined();
    else if (value.AsString() == "<NaN>")
      value = Value::Double(std::nan(""));
    else if (value.AsString() == "<Infinity>")
      value = Value::Double(std::numeric_limits<double>::infinity());
    else if (value.AsString() == "<-Infinity>")
      value = Value::Double(-std::numeric_limits<double>::infinity());
  } else if (value.kind() == model::Kind::kArray) {
    for (Value& element : value.MutableValues()) Restore(element);
  } else if (value.kind() == model::Kind::kObject) {
    for (model::Field& field : value.MutableFields()) Restore(field.value);
  }
}

inline Value ParseText(std::string_view text) {
  std::string json;
  bool in_string = false;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '"' && (i == 0 || text[i - 1] != '\\')) in_string = !in_string;
    bool replaced = false;
    for (const std::string_view word : {"undefined", "NaN", "-Infinity", "Infinity"}) {
      if (in_string || !text.substr(i).starts_with(word)) continue;
      json += "\"<" + std::string(word) + ">\"";
      i += word.size() - 1;
      replaced = true;
      break;
    }
    if (!replaced) json.push_back(text[i]);
  }
  Result<Value> value = model::ValueFromJson(json);
  EXPECT_TRUE(value.has_value()) << text;
  if (!value.has_value()) return Value::Undefined();
  Restore(*value);
  return *std::move(value);
}

inline std::string Show(const Value& value) {
  if (value.is_undefined()) return "undefined";
  if (value.kind() == model::Kind::kDouble) return model::FormatDouble(value.AsDouble());
  return model::ToJson(value);
}

struct CallCase {
  std::string_view name;
  std::string_view arguments;  // separated by commas
  std::string_view result;
};

class FunctionTest : public testing::Test {
 protected:
  Result<Value> Call(std::string_view name, std::string_view arguments) {
    const Function* function = registry_.Find(name);
    if (function == nullptr) return Fail(Code::kNotFound, std::string(name));
    const Value list = ParseText("[" + std::string(arguments) + "]");
    if (!function->Takes(list.AsValues().size()))
      return Fail(Code::kInvalidArgument, "wrong number of arguments");
    return function->Call(list.AsValues(), context_);
  }

  void Expect(std::initializer_list<CallCase> cases) {
    for (const CallCase& c : cases) {
      SCOPED_TRACE(std::string(c.name) + "(" + std::string(c.arguments) + ")");
      const Result<Value> result = Call(c.name, c.arguments);
      ASSERT_TRUE(result.has_value()) << result.error().ToString();
      EXPECT_EQ(Show(*result), Show(ParseText(c.result)));
    }
  }

  // For each list of arguments.
  void ExpectUndefined(std::string_view name, std::initializer_list<std::string_view> arguments) {
    for (const std::string_view text : arguments) Expect({{name, text, "undefined"}});
  }

  void ExpectError(std::string_view name, std::string_view arguments, Code code) {
    const Result<Value> result = Call(name, arguments);
    ASSERT_FALSE(result.has_value()) << name << ": " << Show(*result);
    EXPECT_EQ(result.error().code(), code) << result.error().ToString();
  }

  ManualClock clock_;
  FixedRandom random_;
  CallContext context_{clock_, random_, clock_.Now()};
  FunctionRegistry registry_;
};

}  // namespace orrery::sql
