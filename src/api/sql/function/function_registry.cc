#include "api/sql/function/function_registry.h"

#include <algorithm>

#include "api/sql/function/native/native_functions.h"
#include "base/check.h"

namespace orrery::sql {
namespace {

// Longer than any name of a function: text past it is not worth bringing to upper case.
constexpr size_t kNameBytesMax = 64;

}  // namespace

FunctionRegistry::FunctionRegistry() {
  for (const std::span<const Function> family :
       {MathFunctions(), IntegerFunctions(), StringFunctions(), StringSearchFunctions(),
        RegexFunctions(), TypeFunctions(), ConversionFunctions(), ArrayFunctions(),
        ArrayStatisticFunctions(), SetFunctions(), DateFunctions(), ClockFunctions(),
        ChoiceFunctions(), SpatialFunctions(), VectorFunctions(), FullTextFunctions()}) {
    for (const Function& function : family) {
      ORRERY_CHECK(functions_.emplace(function.name, &function).second);
    }
  }
}

const Function* FunctionRegistry::Find(std::string_view name) const {
  if (name.size() > kNameBytesMax) return nullptr;
  std::string upper(name);
  for (char& c : upper) {
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  }
  const auto found = functions_.find(upper);
  return found == functions_.end() ? nullptr : found->second;
}

std::vector<const Function*> FunctionRegistry::All() const {
  std::vector<const Function*> all;
  all.reserve(functions_.size());
  for (const auto& [name, function] : functions_) all.push_back(function);
  std::ranges::sort(all, {}, &Function::name);
  return all;
}

}  // namespace orrery::sql
