// toJson of any type, and fromJson for any receiver.
#include <fmt/format.h>

#include "api/cassandra/function/native/native_function.h"
#include "api/cassandra/function/native/native_functions.h"
#include "api/cassandra/types/json/json.h"

namespace orrery::cassandra {
namespace {

FunctionTemplate ToJsonTemplate(std::string name) {
  return {
      std::move(name),
      {Parameter::Any()},
      [](const FunctionName& called, const TypeList& types, const TypePtr&) -> Result<FunctionPtr> {
        return std::make_shared<NativeScalar>(
            called, types, Type::Native(TypeKind::kText),
            [type = types[0]](FunctionContext&, FunctionArguments arguments) -> FunctionResult {
              if (HasNull(arguments)) return "null";
              return ToJson(*type, *arguments[0]);
            });
      }};
}

class FromJsonFunction final : public ScalarFunction {
 public:
  FromJsonFunction(FunctionName name, TypePtr receiver)
      : ScalarFunction(std::move(name), {Type::Native(TypeKind::kText)}, std::move(receiver)) {}

  // The timestamp "now" is another one each time.
  bool is_pure() const override { return false; }
  bool fails_as_function() const override { return true; }

  FunctionResult Call(FunctionContext& context, FunctionArguments arguments) const override {
    if (HasNull(arguments)) return std::nullopt;
    const std::string_view text = *arguments[0];
    const Result<JsonValue> json = ParseJson(text);
    if (!json.has_value())
      return Fail(Code::kInvalidArgument,
                  FailureText(*this, fmt::format("Could not decode JSON string '{}': {}", text,
                                                 json.error().message())));
    return FromJson(*return_type(), *json, context.now_ms());
  }
};

// `shown` is how error texts call it.
FunctionTemplate FromJsonTemplate(std::string name, std::string shown) {
  return {std::move(name),
          {Parameter::OneOf({TypeKind::kText})},
          [shown = std::move(shown)](const FunctionName& called, const TypeList&,
                                     const TypePtr& receiver) -> Result<FunctionPtr> {
            if (receiver == nullptr)
              return Fail(
                  Code::kInvalidArgument,
                  fmt::format("{}() cannot be used in the selection clause of a SELECT statement",
                              shown));
            return std::make_shared<FromJsonFunction>(called, receiver);
          }};
}

}  // namespace

void AddJsonFunctions(FunctionLibrary& library) {
  library.Add(ToJsonTemplate("tojson"));
  library.Add(ToJsonTemplate("to_json"));
  library.Add(FromJsonTemplate("fromjson", "fromJson"));
  library.Add(FromJsonTemplate("from_json", "from_json"));
}

}  // namespace orrery::cassandra
