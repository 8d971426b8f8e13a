#include "api/cassandra/function/function_library.h"

#include <algorithm>
#include <utility>

namespace orrery::cassandra {

void FunctionLibrary::Add(FunctionPtr function) {
  Entry& entry = entries_[function->name().name];
  entry.overloads.push_back(std::move(function));
}

void FunctionLibrary::Add(FunctionTemplate function) {
  Entry& entry = entries_[function.name().name];
  entry.templates.push_back(std::move(function));
}

const FunctionLibrary::Entry* FunctionLibrary::Find(std::string_view name) const {
  const auto found = entries_.find(std::string(name));
  return found == entries_.end() ? nullptr : &found->second;
}

std::span<const FunctionPtr> FunctionLibrary::Overloads(std::string_view name) const {
  const Entry* entry = Find(name);
  if (entry == nullptr) return {};
  return entry->overloads;
}

std::span<const FunctionTemplate> FunctionLibrary::Templates(std::string_view name) const {
  const Entry* entry = Find(name);
  if (entry == nullptr) return {};
  return entry->templates;
}

std::vector<std::string> FunctionLibrary::Names() const {
  std::vector<std::string> names;
  for (const auto& [name, entry] : entries_) names.push_back(name);
  std::ranges::sort(names);
  return names;
}

}  // namespace orrery::cassandra
