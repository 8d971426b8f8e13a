// A Scope says which slot of a Frame each alias of a query means.
//
// Case counts. Of a name that was added twice the later one is found, as an inner query's alias
// hides an outer one's: start from a copy of the outer scope and add to it.
//
// A value: copies share nothing.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace orrery::sql {

class Scope {
 public:
  void Add(std::string_view alias, uint32_t slot) {
    slots_.insert_or_assign(std::string(alias), slot);
  }

  std::optional<uint32_t> Find(std::string_view alias) const {
    const auto found = slots_.find(alias);
    if (found == slots_.end()) return std::nullopt;
    return found->second;
  }

 private:
  std::map<std::string, uint32_t, std::less<>> slots_;
};

}  // namespace orrery::sql
