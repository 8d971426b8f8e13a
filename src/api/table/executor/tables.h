// Tables finds, makes and drops tables: the containers of the database TablesDB.
//
// Thread-safe. The catalog must outlive it. Changes block.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/table/executor/call.h"
#include "api/table/protocol/error_response.h"
#include "gateway/catalog/catalog.h"

namespace orrery::table {

inline constexpr std::string_view kDatabase = "TablesDB";

class Tables {
 public:
  explicit Tables(gateway::Catalog& catalog) : catalog_(catalog) {}

  // Null if there is none. Names compare in any case of letters in the dialect of Azure Storage.
  gateway::ContainerRef Find(std::string_view name, Dialect dialect) const;
  // TableNotFound.
  Outcome<gateway::ContainerRef> Get(std::string_view name, Dialect dialect) const;
  // By name.
  std::vector<gateway::ContainerRef> List() const;

  struct NewTable {
    std::string name;
    partition::ThroughputSettings throughput{};
    std::optional<int32_t> ttl_s{};
  };
  // TableAlreadyExists.
  Outcome<void> Create(const NewTable& table, Dialect dialect) const;
  Outcome<void> Drop(std::string_view name, Dialect dialect) const;

  // The database's entry, made if there is none.
  Result<gateway::DatabaseEntry> Database() const;
  gateway::Catalog& catalog() const { return catalog_; }

 private:
  gateway::Catalog& catalog_;
};

}  // namespace orrery::table
