// Expressions of any text: bound and evaluated, or refused with a place in the text. The same row
// gives the same value again.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "api/sql/evaluate/binder.h"
#include "api/sql/parser/parser.h"
#include "base/check.h"
#include "model/document/json.h"

namespace {

using orrery::model::Value;

class NoRandom final : public orrery::sql::RandomSource {
 public:
  double Next() override { return 0.5; }
};

Value ParseOrDie(std::string_view json) {
  auto value = orrery::model::ValueFromJson(json);
  ORRERY_CHECK(value.has_value());
  return *std::move(value);
}

orrery::Result<Value> EvaluateOnce(const orrery::sql::BoundExpression& expression,
                                   const Value& row) {
  const orrery::ManualClock clock;
  NoRandom random;
  const orrery::sql::CallContext context{clock, random, clock.Now()};
  const Value* const slots[] = {&row};
  const orrery::sql::FrameContext frame_context(context);
  orrery::sql::Frame frame{.slots = slots, .context = frame_context};
  Value scratch;
  ORRERY_ASSIGN(const Value* value, expression.Evaluate(frame, scratch));
  return orrery::sql::Take(value, scratch);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace orrery::sql;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto tree = ParseExpression(text);
  if (!tree.has_value()) return 0;

  const Value row = ParseOrDie(R"({"a":1,"b":"text","c":[1,{"a":null}],"d":{"e":-0.5},"t":true})");
  Scope scope;
  scope.Add("c", 0);
  Parameters parameters;
  parameters.Set("@p", row);
  const FunctionRegistry functions;
  const auto bound =
      Bind(*tree, {.text = text, .scope = scope, .parameters = parameters, .functions = functions});
  if (!bound.has_value()) {
    const QueryError& error = bound.error();
    ORRERY_CHECK(error.start <= error.end && error.end <= text.size());
    return 0;
  }
  const auto first = EvaluateOnce(**bound, row);
  const auto second = EvaluateOnce(**bound, row);
  ORRERY_CHECK(first.has_value() == second.has_value());
  if (first.has_value()) ORRERY_CHECK(*first == *second);
  return 0;
}
