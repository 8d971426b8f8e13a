#include "api/cassandra/function/function.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace orrery::cassandra {
namespace {

// Leaves out what makes no difference in a signature: tuples are always frozen.
std::string ArgumentTypeText(const Type& type) {
  std::string name = type.CqlName();
  constexpr std::string_view kFrozen = "frozen<";
  if (type.kind() == TypeKind::kTuple && name.starts_with(kFrozen))
    name = name.substr(kFrozen.size(), name.size() - kFrozen.size() - 1);
  return name;
}

std::vector<std::string> ArgumentTypeTexts(const Function& function) {
  std::vector<std::string> names;
  for (const TypePtr& type : function.argument_types()) names.push_back(ArgumentTypeText(*type));
  return names;
}

}  // namespace

std::string FunctionName::Text() const { return keyspace.empty() ? name : keyspace + "." + name; }

std::string Function::Signature() const {
  return fmt::format("{} : ({}) -> {}", name_.Text(), fmt::join(ArgumentTypeTexts(*this), ", "),
                     ArgumentTypeText(*return_type_));
}

std::string Function::ColumnName(std::span<const std::string> arguments) const {
  return fmt::format("{}({})", name_.Text(), fmt::join(arguments, ", "));
}

std::string FailureText(const Function& function, std::string_view what) {
  return fmt::format("execution of '{}[{}]' failed: {}", function.name().Text(),
                     fmt::join(ArgumentTypeTexts(function), ", "), what);
}

}  // namespace orrery::cassandra
