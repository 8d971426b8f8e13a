// Foreign bytes as a program's source whose result is converted, and as JSON that crosses the
// border both ways. Whatever comes must be a value or a Failure, and the sandbox must go on.
#include <cstdint>
#include <span>
#include <string>

#include "base/check.h"
#include "script/script_test_harness.h"

namespace {

using orrery::model::Value;
using orrery::script::Datum;
using orrery::script::DatumForm;
using orrery::script::Json;
using orrery::script::Limits;
using orrery::script::SandboxForTest;

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static SandboxForTest test;
  static const auto echo = SandboxForTest::Body({"x"}, "return x;");
  if (size == 0) return 0;
  const std::string text(reinterpret_cast<const char*>(data) + 1, size - 1);
  switch (data[0] % 3) {
    case 0: {
      Limits limits;  // short: the source may loop
      limits.time = std::chrono::milliseconds(20);
      const auto outcome = test.sandbox.Call(
          SandboxForTest::Make(orrery::script::Form::kScript, {}, text), {}, limits);
      if (outcome.has_value()) (void)test.Call(echo, {*outcome}, limits);
      break;
    }
    case 1: {
      const auto pass = [&](const Datum& json) {
        return test.sandbox.Run(echo, std::span(&json, 1), nullptr, DatumForm::kJson).outcome;
      };
      // A value that was written once is read and written as the same.
      const auto first = pass(Json{text});
      if (first.has_value()) ORRERY_CHECK(pass(*first) == *first);
      break;
    }
    default: {
      const Value argument[] = {Value::Array({Value::String(text), Value::Binary(text),
                                              Value::Varint(text), Value::Decimal(3, text)})};
      const auto outcome = test.sandbox.Call(echo, argument);
      ORRERY_CHECK(outcome.has_value());
      ORRERY_CHECK(outcome->AsValues()[1] == Value::Binary(text));
      break;
    }
  }
  return 0;
}
