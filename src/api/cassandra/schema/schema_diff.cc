#include "api/cassandra/schema/schema_diff.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>

#include "api/cassandra/schema/ddl/plan_context.h"
#include "api/cassandra/schema/ddl/signature.h"

namespace orrery::cassandra {
namespace {

bool Same(const UserFunction& a, const UserFunction& b) {
  return a.argument_names == b.argument_names && *a.return_type == *b.return_type &&
         a.called_on_null_input == b.called_on_null_input && a.language == b.language &&
         a.body == b.body;
}

bool Same(const UserAggregate& a, const UserAggregate& b) {
  return a.state_function == b.state_function && *a.state_type == *b.state_type &&
         a.final_function == b.final_function && *a.return_type == *b.return_type &&
         a.initial_condition == b.initial_condition;
}

// Null when there is none.
template <typename T>
const T* FindOverload(const Overloads<T>& all, const T& like) {
  for (const auto& one : all) {
    if (one->name == like.name && TypeNames(one->argument_types) == TypeNames(like.argument_types))
      return one.get();
  }
  return nullptr;
}

class Diff {
 public:
  void AddKeyspaces(const Schema& former, const Schema& now) {
    for (const auto& [name, before] : former.keyspaces) {
      const KeyspacePtr after = now.FindKeyspace(name);
      if (after == before || before->is_virtual) continue;
      if (after == nullptr || !IsSameCreation(*before, *after)) {
        dropped_.push_back(KeyspaceChange(SchemaChangeKind::kDropped, name));
      } else {
        Compare(*before, *after);
      }
    }
    for (const auto& [name, after] : now.keyspaces) {
      const KeyspacePtr before = former.FindKeyspace(name);
      if (after->is_virtual || (before != nullptr && IsSameCreation(*before, *after))) continue;
      created_.push_back(KeyspaceChange(SchemaChangeKind::kCreated, name));
      Keyspace empty;
      empty.name = name;
      CompareParts(empty, *after);
    }
  }

  std::vector<SchemaChange> Take() {
    std::vector<SchemaChange> all = std::move(dropped_);
    std::ranges::move(created_, std::back_inserter(all));
    std::ranges::move(updated_, std::back_inserter(all));
    return all;
  }

 private:
  static bool IsSameCreation(const Keyspace& a, const Keyspace& b) {
    if (a.database == nullptr || b.database == nullptr) return a.database == b.database;
    return a.database->id == b.database->id;
  }

  void Add(SchemaChange change) {
    switch (change.kind) {
      case SchemaChangeKind::kCreated:
        return created_.push_back(std::move(change));
      case SchemaChangeKind::kUpdated:
        return updated_.push_back(std::move(change));
      case SchemaChangeKind::kDropped:
        return dropped_.push_back(std::move(change));
    }
  }

  void Compare(const Keyspace& before, const Keyspace& after) {
    if (before.replication != after.replication || before.durable_writes != after.durable_writes)
      Add(KeyspaceChange(SchemaChangeKind::kUpdated, after.name));
    CompareParts(before, after);
  }

  void CompareParts(const Keyspace& before, const Keyspace& after) {
    CompareTypes(before, after);
    CompareTables(before, after);
    CompareOverloads(SchemaTarget::kFunction, after.name, before.functions, after.functions);
    CompareOverloads(SchemaTarget::kAggregate, after.name, before.aggregates, after.aggregates);
  }

  void CompareTypes(const Keyspace& before, const Keyspace& after) {
    const auto add = [&](SchemaChangeKind kind, const std::string& name) {
      Add({kind, SchemaTarget::kType, after.name, name, {}});
    };
    for (const auto& [name, type] : before.types)
      if (after.FindType(name) == nullptr) add(SchemaChangeKind::kDropped, name);
    for (const auto& [name, type] : after.types) {
      const TypePtr former = before.FindType(name);
      if (former == nullptr) {
        add(SchemaChangeKind::kCreated, name);
      } else if (former != type && *former != *type) {
        add(SchemaChangeKind::kUpdated, name);
      }
    }
  }

  void CompareTables(const Keyspace& before, const Keyspace& after) {
    for (const auto& [name, table] : before.tables) {
      const TablePtr next = after.FindTable(name);
      if (next == nullptr || next->id != table->id)
        Add(TableChange(SchemaChangeKind::kDropped, after.name, name));
    }
    for (const auto& [name, table] : after.tables) {
      const TablePtr former = before.FindTable(name);
      if (former == table) continue;
      if (former == nullptr || former->id != table->id) {
        Add(TableChange(SchemaChangeKind::kCreated, after.name, name));
      } else if (former->digest != table->digest) {
        Add(TableChange(SchemaChangeKind::kUpdated, after.name, name));
      }
    }
  }

  template <typename T>
  void CompareOverloads(SchemaTarget target, const std::string& keyspace,
                        const Overloads<T>& before, const Overloads<T>& after) {
    const auto add = [&](SchemaChangeKind kind, const T& one) {
      Add(FunctionChange(kind, target, keyspace, one.name, one.argument_types));
    };
    for (const auto& one : before)
      if (FindOverload(after, *one) == nullptr) add(SchemaChangeKind::kDropped, *one);
    for (const auto& one : after) {
      const T* const former = FindOverload(before, *one);
      if (former == nullptr) {
        add(SchemaChangeKind::kCreated, *one);
      } else if (former != one.get() && !Same(*former, *one)) {
        add(SchemaChangeKind::kUpdated, *one);
      }
    }
  }

  std::vector<SchemaChange> dropped_;
  std::vector<SchemaChange> created_;
  std::vector<SchemaChange> updated_;
};

}  // namespace

std::vector<SchemaChange> ChangesBetween(const Schema& former, const Schema& now) {
  Diff diff;
  diff.AddKeyspaces(former, now);
  return diff.Take();
}

}  // namespace orrery::cassandra
