// The entries of the system store in memory, as every node of a cluster has them, with how new they
// are: the manager's term and the number of commits in it.
//
//   copy := term:varint version:varint n:varint (key:bytes value:bytes)*n
//
// Not thread-safe.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "base/status.h"
#include "cluster/system/system_change.h"

namespace orrery::cluster {

struct SystemVersion {
  uint64_t term = 0;     // rises with each manager
  uint64_t commits = 0;  // of that term

  friend auto operator<=>(const SystemVersion&, const SystemVersion&) = default;
};

class SystemCopy {
 public:
  const SystemVersion& version() const { return version_; }
  const std::map<std::string, std::string, std::less<>>& entries() const { return entries_; }

  // REQUIRES: `to` follows version() or begins a new term.
  void Apply(const SystemChange& change, SystemVersion to);
  void Put(std::string key, std::string value) {
    entries_.insert_or_assign(std::move(key), std::move(value));
  }

  std::string Encode() const;
  static Result<SystemCopy> Decode(std::string_view bytes);  // kInvalidArgument

 private:
  SystemVersion version_;
  std::map<std::string, std::string, std::less<>> entries_;
};

}  // namespace orrery::cluster
