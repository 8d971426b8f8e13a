// Values on their way into a script and back out of it.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "model/document/json.h"
#include "model/value_generator.h"
#include "model/value_text.h"
#include "script/script_test_harness.h"
#include "script/script_value_expectation.h"

namespace orrery::script {
namespace {

using model::Kind;
using model::Value;

class ScriptValueTest : public ::testing::Test {
 protected:
  Value Echo(Value value) {
    auto outcome = test.Call(echo, {std::move(value)});
    if (!outcome.has_value()) return Value::String("failed: " + outcome.error().message);
    return *std::move(outcome);
  }
  Value TypeOf(Value value) {
    return *test.Call(test.Body({"x"}, "return Object.prototype.toString.call(x);"),
                      {std::move(value)});
  }

  SandboxForTest test;
  const ProgramRef echo = test.Body({"x"}, "return x;");
};

TEST_F(ScriptValueTest, RandomValuesComeBackAsTheTableSays) {
  constexpr uint64_t kSeed = 20'261'116;
  SCOPED_TRACE(kSeed);
  model::ValueGenerator generator(kSeed);
  for (int i = 0; i < 5'000; ++i) {
    const Value value = generator.Any();
    EXPECT_EQ(model::ToJson(Echo(value)), model::ToJson(AfterRoundTrip(value)))
        << model::KindName(value.kind()) << " " << model::ToJson(value);
    ASSERT_EQ(Echo(value), AfterRoundTrip(value)) << model::ToJson(value);
  }
}

TEST_F(ScriptValueTest, NumbersStayExact) {
  EXPECT_EQ(Echo(Value::Int64((int64_t{1} << 53) - 1)), Value::Int64((int64_t{1} << 53) - 1));
  EXPECT_EQ(TypeOf(Value::Int64((int64_t{1} << 53) - 1)), Value::String("[object Number]"));
  EXPECT_EQ(TypeOf(Value::Int64(int64_t{1} << 53)), Value::String("[object BigInt]"));
  for (const int64_t number :
       {std::numeric_limits<int64_t>::min(), std::numeric_limits<int64_t>::max()}) {
    EXPECT_EQ(Echo(Value::Int64(number)), Value::Int64(number));
  }
  const std::string huge("\x01\x00\x00\x00\x00\x00\x00\x00\x07", 9);
  EXPECT_EQ(Echo(Value::Varint(huge)), Value::Varint(huge));
  const std::string negative("\x80\x00\x00\x00\x00\x00\x00\x00\x00\x00", 10);
  EXPECT_EQ(Echo(Value::Varint(negative)), Value::Varint(negative));
  EXPECT_EQ(*test.Do("return 2n ** 64n;"),
            Value::Varint(std::string_view("\x01\0\0\0\0\0\0\0\0", 9)));
  EXPECT_EQ(Echo(Value::Double(-0.0)), Value::Double(-0.0));
  EXPECT_TRUE(std::isnan(Echo(Value::Double(std::nan(""))).AsDouble()));
  EXPECT_EQ(Echo(Value::Float(0.5f)), Value::Double(0.5));
  EXPECT_EQ(Echo(Value::Decimal(2, "\x7b")), Value::String("1.23"));
}

TEST_F(ScriptValueTest, Texts) {
  const std::string text("a\0ü€😀", 11);
  EXPECT_EQ(Echo(Value::String(text)), Value::String(text));
  EXPECT_EQ(*test.Do(R"(return '\ud83d' + 'x' + '\ude00';)"),
            Value::String("\xef\xbf\xbdx\xef\xbf\xbd"));
  EXPECT_EQ(Echo(Value::String("a\xff"
                               "b")),
            Value::String("a\xef\xbf\xbd"
                          "b"));
}

TEST_F(ScriptValueTest, ObjectsOfTheLanguage) {
  EXPECT_EQ(TypeOf(Value::Binary("x")), Value::String("[object Uint8Array]"));
  EXPECT_EQ(TypeOf(Value::DateTime(0)), Value::String("[object Date]"));
  EXPECT_EQ(TypeOf(Value::Set({Value::Null()})), Value::String("[object Set]"));
  EXPECT_EQ(TypeOf(Value::Map({})), Value::String("[object Map]"));
  EXPECT_EQ(*test.Do("return new Date(NaN);"), Value::Null());
  EXPECT_EQ(*test.Do("return new Date(-1);"), Value::DateTime(-1));
  EXPECT_EQ(*test.Do("return new Uint8Array([1, 2, 3]).subarray(1);"), Value::Binary("\x02\x03"));
  EXPECT_EQ(*test.Do("return new DataView(new ArrayBuffer(2), 1);"),
            Value::Binary(std::string(1, '\0')));
  EXPECT_EQ(*test.Do("return new Uint8Array([7]).buffer;"), Value::Binary("\x07"));
  EXPECT_EQ(*test.Do("return new Float64Array([0.5, 2]);"),
            Value::Array({Value::Double(0.5), Value::Int32(2)}));
  EXPECT_EQ(
      *test.Do("return [new String('s'), new Number(1), Object(2n), new Boolean(false)];"),
      Value::Array({Value::String("s"), Value::Int32(1), Value::Int64(2), Value::Bool(false)}));
  EXPECT_EQ(*test.Do("return [() => 1, Symbol(), undefined];"),
            Value::Array({Value::Undefined(), Value::Undefined(), Value::Undefined()}));
  EXPECT_EQ(*test.Do("return {a: undefined, f() {}, [Symbol()]: 1, b: null};"),
            Value::Object({{"b", Value::Null()}}));
  EXPECT_EQ(*test.Do("return [1,,3];"),
            Value::Array({Value::Int32(1), Value::Undefined(), Value::Int32(3)}));
}

TEST_F(ScriptValueTest, AFieldNamedProtoIsAField) {
  const Value value = Value::Object({{"__proto__", Value::Object({{"x", Value::Int32(1)}})}});
  EXPECT_EQ(Echo(value), value);
  EXPECT_EQ(*test.Call(test.Body({"o"}, "return o.x;"), {value}), Value::Undefined());
}

TEST_F(ScriptValueTest, ResultsThatFightBack) {
  EXPECT_EQ(*test.Do("return new Proxy([1, 2], {});"),
            Value::Array({Value::Int32(1), Value::Int32(2)}));
  EXPECT_EQ(*test.Do("return new Proxy({a: 1}, {get: () => 'trap'});"),
            Value::Object({{"a", Value::String("trap")}}));
  EXPECT_EQ(test.Do("return {get x() { throw new Error('trap'); }};").error().message,
            "Error: trap");
  EXPECT_FALSE(test.Do("const {proxy, revoke} = Proxy.revocable([], {}); revoke(); return proxy;")
                   .has_value());
  EXPECT_EQ(test.Do("const a = [1]; a[0] = {get x() { a.length = 0; return 1; }}; a.push(2);"
                    "return a;"),
            Value::Array({Value::Object({{"x", Value::Int32(1)}}), Value::Undefined()}));
  EXPECT_TRUE(test.Do("const s = new Set(); s.add({get x() { s.clear(); return 1; }}); return s;")
                  .has_value());
}

}  // namespace
}  // namespace orrery::script
