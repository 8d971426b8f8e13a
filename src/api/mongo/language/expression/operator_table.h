// The operators of the aggregation language, by name.
//
// Most operators evaluate their arguments and call a function on the values: a row of a table says
// how many arguments, or which names, they take. Those that evaluate lazily, bind variables or look
// at their argument's syntax have a parser of their own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "api/mongo/error/mongo_error.h"
#include "api/mongo/language/expression/expression.h"
#include "model/value.h"

namespace orrery::mongo {

class ExpressionParser;

// The values of a call's arguments. An argument by name that was not given is missing.
struct Call {
  std::string_view name;  // "$add"
  std::span<const model::Value> arguments;
  const QueryContext& context;
  const RowMeta* meta = nullptr;
  uint32_t given = UINT32_MAX;  // one bit for each argument that was written

  const model::Value& operator[](size_t index) const { return arguments[index]; }
  size_t size() const { return arguments.size(); }
  bool is_given(size_t index) const { return (given >> index & 1) != 0; }
};

using OperatorFunction = Answer<model::Value> (*)(const Call& call);
// Refuses arguments that are constant and wrong, whatever the others are. An argument by name that
// was not given is null.
using ArgumentsCheck = Outcome (*)(std::string_view name, std::span<const ExpressionPtr> arguments);

// NullStop says which arguments end the evaluation if they are null: those behind are not
// evaluated, and do not fail. The function sees it as missing.
enum class NullStop : uint8_t { kNever, kFirst, kOneOfTwo, kEach };

// {$add: [a, b]}; one argument need not be in an array.
struct ListOperator {
  std::string_view name;
  size_t arguments_min;
  size_t arguments_max;
  OperatorFunction function;
  bool is_deterministic = true;
  ArgumentsCheck check = nullptr;
  NullStop null_stop = NullStop::kNever;
};
inline constexpr size_t kAnyArguments = SIZE_MAX;

// {$trim: {input: a, chars: b}}.
struct NamedArgument {
  std::string_view name;
  bool is_required = false;
  bool is_literal = false;  // a value as it is written, no expression
};
struct NamedOperator {
  std::string_view name;
  std::span<const NamedArgument> arguments;
  OperatorFunction function;
  int32_t not_object_code;
  int32_t unknown_code;
  int32_t missing_code;
  bool is_folded = true;  // computed while it is parsed where all arguments are constant
  ArgumentsCheck check = nullptr;
};

using OperatorParser = Answer<ExpressionPtr> (*)(ExpressionParser& parser, const std::string& name,
                                                 const model::Value& argument);
struct SpecialOperator {
  std::string_view name;
  OperatorParser parse;
};

// The families, one source file each.
std::span<const ListOperator> ArithmeticOperators();
std::span<const ListOperator> MathOperators();
std::span<const ListOperator> ArrayOperators();
std::span<const ListOperator> BooleanOperators();
std::span<const ListOperator> SetOperators();
std::span<const ListOperator> StringOperators();
std::span<const ListOperator> ConversionOperators();
std::span<const ListOperator> ObjectOperators();
std::span<const ListOperator> AccumulatorOperators();
std::span<const NamedOperator> NamedStringOperators();
std::span<const NamedOperator> NamedDateOperators();
std::span<const NamedOperator> NamedArrayOperators();
std::span<const SpecialOperator> ControlOperators();
std::span<const SpecialOperator> VariableOperators();
std::span<const SpecialOperator> DateOperators();
std::span<const SpecialOperator> FieldOperators();
std::span<const SpecialOperator> ConvertOperators();

const ListOperator* FindListOperator(std::string_view name);
const NamedOperator* FindNamedOperator(std::string_view name);
const SpecialOperator* FindSpecialOperator(std::string_view name);
bool IsOperatorName(std::string_view name);

// Null and missing, and the deprecated undefined.
inline bool IsNullish(const model::Value& value) { return value.is_null() || value.is_undefined(); }

}  // namespace orrery::mongo
