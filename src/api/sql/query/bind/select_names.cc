#include "api/sql/query/bind/select_names.h"

#include <fmt/format.h>

#include <set>

#include "api/sql/query/bind/query_error_codes.h"

namespace orrery::sql {

std::string_view ImpliedAlias(const ast::Expression& collection) {
  if (const auto* identifier = collection.As<ast::Identifier>()) return identifier->name;
  if (const auto* property = collection.As<ast::PropertyAccess>()) return property->name;
  return {};
}

Parsed<std::vector<std::string>> SelectNames(const ast::SelectList& list, std::string_view text) {
  std::vector<std::string> names;
  std::set<std::string_view> taken;
  size_t unnamed = 0;
  names.reserve(list.items.size());  // `taken` looks into it
  for (const ast::SelectItem& item : list.items) {
    std::string name =
        item.alias.has_value() ? item.alias->text : std::string(ImpliedAlias(item.value));
    if (name.empty() && !item.alias.has_value()) name = fmt::format("${}", ++unnamed);
    names.push_back(std::move(name));
    if (!taken.insert(names.back()).second) {
      return std::unexpected(ErrorAt(
          text, item.alias.has_value() ? item.alias->range : item.value.range, kDuplicateNameCode,
          fmt::format("The property '{}' is specified more than once.", names.back())));
    }
  }
  return names;
}

}  // namespace orrery::sql
