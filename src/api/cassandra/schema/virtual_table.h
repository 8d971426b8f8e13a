// A VirtualTable computes its rows when they are asked for: system tables, whose truth is
// elsewhere.
//
// Restrictions, filters, selection, order and limits are the SELECT executor's; a table only says
// which rows there are. Thread-safe.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "api/cassandra/protocol/cql_result.h"

namespace orrery::cassandra {

struct Client;
struct Schema;
struct Table;

// One value for each of Table::columns; nullopt is null.
using VirtualRow = std::vector<std::optional<std::string>>;

struct VirtualQuery {
  const Schema& schema;  // the one that the statement was planned for
  const Client& client;
  // The serialized partition keys that are wanted; nothing: all. Others may be returned too.
  std::optional<std::span<const std::string>> partition_keys;
};

class VirtualTable {
 public:
  virtual ~VirtualTable() = default;

  // In any order: the executor sorts by token and clustering key. May block.
  virtual CqlResult<std::vector<VirtualRow>> Rows(const VirtualQuery& query) const = 0;
};

}  // namespace orrery::cassandra
