// Runs schema statements: plans them against the newest schema and takes their steps on the
// catalog. One at a time, so that no plan is made for a schema that another statement of this node
// is changing; where another node was faster a statement is planned anew.
//
// Thread-safe. Blocks on the disk: not for event loops.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "api/cassandra/parser/ast/statement.h"
#include "api/cassandra/schema/ddl/plan_context.h"
#include "api/cassandra/schema/schema_cache.h"
#include "base/clock.h"
#include "base/mutex.h"
#include "gateway/catalog/catalog.h"

namespace orrery::cassandra {

struct SchemaOutcome {
  std::optional<SchemaChange> change;  // none: nothing was to be done
  std::vector<std::string> warnings;
};

class SchemaEditor {
 public:
  // All but the last two must outlive it.
  struct Parts {
    gateway::Catalog& catalog;
    const SchemaCache& schema;
    const FunctionChecker& functions;
    const Clock& clock;
    std::function<std::string()> new_id;  // a uuid of 16 bytes, another one each time
    std::string datacenter;               // the name of the one there is
  };
  explicit SchemaEditor(Parts parts) : parts_(std::move(parts)) {}

  // An error in the middle of several steps leaves those before it.
  // REQUIRES: IsSchemaStatement(statement).
  CqlResult<SchemaOutcome> Run(const ast::Statement& statement, std::string_view session_keyspace,
                               std::span<const PayloadEntry> payload) EXCLUDES(mutex_);

  // Remembers that a view has all rows of its base table, or (false) that it must be built again.
  // Nothing when there is no such view any more: `id` is that of the one meant.
  CqlStatus SetViewBuilt(std::string_view keyspace, std::string_view view, std::string_view id,
                         bool built) EXCLUDES(mutex_);

 private:
  // The number of times that a statement is planned while others are faster.
  static constexpr int kAttemptsMax = 32;

  // The outcome of one plan; `stale`: nothing was done, because it was made of an outdated schema.
  struct Attempt {
    CqlResult<SchemaOutcome> outcome;
    bool stale = false;
  };
  Attempt Try(const ast::Statement& statement, std::string_view session_keyspace,
              std::span<const PayloadEntry> payload) REQUIRES(mutex_);

  const Parts parts_;
  Mutex mutex_;  // held over a whole statement
};

}  // namespace orrery::cassandra
