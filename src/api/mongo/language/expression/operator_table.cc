#include "api/mongo/language/expression/operator_table.h"

#include <unordered_map>

namespace orrery::mongo {
namespace {

template <typename Operator>
using OperatorMap = std::unordered_map<std::string_view, const Operator*>;

template <typename Operator>
OperatorMap<Operator> MapOf(std::initializer_list<std::span<const Operator>> families) {
  OperatorMap<Operator> map;
  for (const std::span<const Operator> family : families) {
    for (const Operator& row : family) map.emplace(row.name, &row);
  }
  return map;
}

template <typename Operator>
const Operator* FindIn(const OperatorMap<Operator>& map, std::string_view name) {
  const auto found = map.find(name);
  return found == map.end() ? nullptr : found->second;
}

}  // namespace

const ListOperator* FindListOperator(std::string_view name) {
  static const OperatorMap<ListOperator> map = MapOf<ListOperator>(
      {ArithmeticOperators(), MathOperators(), ArrayOperators(), BooleanOperators(), SetOperators(),
       StringOperators(), ConversionOperators(), ObjectOperators(), AccumulatorOperators()});
  return FindIn(map, name);
}

const NamedOperator* FindNamedOperator(std::string_view name) {
  static const OperatorMap<NamedOperator> map =
      MapOf<NamedOperator>({NamedStringOperators(), NamedDateOperators(), NamedArrayOperators()});
  return FindIn(map, name);
}

const SpecialOperator* FindSpecialOperator(std::string_view name) {
  static const OperatorMap<SpecialOperator> map =
      MapOf<SpecialOperator>({ControlOperators(), VariableOperators(), DateOperators(),
                              FieldOperators(), ConvertOperators()});
  return FindIn(map, name);
}

bool IsOperatorName(std::string_view name) {
  return FindListOperator(name) != nullptr || FindNamedOperator(name) != nullptr ||
         FindSpecialOperator(name) != nullptr;
}

}  // namespace orrery::mongo
