// Lists the materialized views that do not have all rows of their base tables yet.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace orrery::cassandra {

// The rows of a base table within a range of tokens, on their way into a view.
struct ViewBuild {
  std::string keyspace;
  std::string view;
  int64_t first_token = 0;  // both inclusive
  int64_t last_token = 0;
  std::optional<int64_t> reached_token;
  uint64_t keys_built = 0;
};

// Thread-safe.
class ViewBuildLister {
 public:
  virtual ~ViewBuildLister() = default;
  virtual std::vector<ViewBuild> ViewBuildsInProgress() const = 0;
};

}  // namespace orrery::cassandra
