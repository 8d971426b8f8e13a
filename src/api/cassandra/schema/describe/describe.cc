#include "api/cassandra/schema/describe/describe.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "api/cassandra/parser/print/print.h"
#include "api/cassandra/schema/describe/create_keyspace_text.h"
#include "api/cassandra/schema/describe/create_table_text.h"
#include "base/check.h"
#include "query/lexer/character_class.h"

namespace orrery::cassandra {
namespace {

using ast::DescribeKind;
using Elements = std::vector<DescribedElement>;

// Names are listed without regard to their case.
std::pair<std::string, std::string_view> ListingOrder(std::string_view name) {
  return {query::ToLower(name), name};
}

// Returns the elements of a map by name, as they are listed.
template <typename Thing>
std::vector<Thing> Listed(const std::map<std::string, Thing, std::less<>>& things) {
  std::vector<std::pair<std::pair<std::string, std::string_view>, Thing>> keyed;
  for (const auto& [name, thing] : things) keyed.emplace_back(ListingOrder(name), thing);
  std::ranges::sort(keyed, {}, [](const auto& each) { return each.first; });
  std::vector<Thing> listed;
  for (auto& [key, thing] : keyed) listed.push_back(std::move(thing));
  return listed;
}

// Types that others use before those that use them.
std::vector<TypePtr> InOrderOfUse(const Keyspace& keyspace) {
  const std::vector<TypePtr> types = Listed(keyspace.types);
  std::vector<TypePtr> ordered;
  std::set<std::string_view> done;
  const auto is_ready = [&](const TypePtr& type) {
    return std::ranges::all_of(keyspace.types, [&](const auto& entry) {
      const UserTypeDefinition& other = entry.second->udt();
      return other.name == type->udt().name || done.contains(other.name) ||
             !type->ReferencesUserType(other.keyspace, other.name);
    });
  };
  // Each round places at least one: types do not use each other in circles.
  for (size_t rounds = 0; ordered.size() < keyspace.types.size() && rounds < keyspace.types.size();
       ++rounds) {
    for (const TypePtr& type : types) {
      if (done.contains(type->udt().name) || !is_ready(type)) continue;
      ordered.push_back(type);
      done.insert(type->udt().name);
    }
  }
  return ordered;
}

// Gathers elements; listings leave the statements out.
class Gatherer {
 public:
  Gatherer(bool statements, bool internals) : statements_(statements), internals_(internals) {}

  void AddKeyspace(const Keyspace& keyspace) {
    Add(keyspace, "keyspace", PrintName(keyspace.name),
        [&] { return CreateKeyspaceText(keyspace); });
  }
  void AddType(const Keyspace& keyspace, const Type& type) {
    Add(keyspace, "type", PrintName(type.udt().name), [&] { return CreateTypeText(type); });
  }
  void AddFunction(const Keyspace& keyspace, const UserFunction& function) {
    Add(keyspace, "function", SignatureName(function.name, function.argument_types),
        [&] { return CreateFunctionText(function); });
  }
  void AddAggregate(const Keyspace& keyspace, const UserAggregate& aggregate) {
    Add(keyspace, "aggregate", SignatureName(aggregate.name, aggregate.argument_types),
        [&] { return CreateAggregateText(aggregate); });
  }
  void AddTable(const Keyspace& keyspace, const Table& table) {
    Add(keyspace, "table", PrintName(table.name),
        [&] { return CreateTableText(table, internals_); });
  }
  void AddView(const Keyspace& keyspace, const Table& view) {
    Add(keyspace, "materialized_view", PrintName(view.name),
        [&] { return CreateViewText(view, internals_); });
  }
  void AddIndex(const Keyspace& keyspace, const Table& table, const Index& index) {
    Add(keyspace, "index", PrintName(index.name), [&] { return CreateIndexText(table, index); });
  }

  void AddTableWithIndexes(const Keyspace& keyspace, const Table& table) {
    AddTable(keyspace, table);
    std::vector<const Index*> indexes;
    for (const Index& index : table.indexes) indexes.push_back(&index);
    std::ranges::sort(indexes, {}, [](const Index* index) { return ListingOrder(index->name); });
    for (const Index* index : indexes) AddIndex(keyspace, table, *index);
  }

  void AddAllOf(const Keyspace& keyspace) {
    AddKeyspace(keyspace);
    for (const TypePtr& type : InOrderOfUse(keyspace)) AddType(keyspace, *type);
    for (const auto& function : keyspace.functions) AddFunction(keyspace, *function);
    for (const auto& aggregate : keyspace.aggregates) AddAggregate(keyspace, *aggregate);
    for (const TablePtr& table : Listed(keyspace.tables)) {
      if (table->view.has_value()) continue;
      AddTableWithIndexes(keyspace, *table);
      for (const TablePtr& view : keyspace.ViewsOf(table->name)) AddView(keyspace, *view);
    }
  }

  Elements Take() { return std::move(elements_); }

 private:
  template <typename Text>
  void Add(const Keyspace& keyspace, std::string_view type, std::string name, Text text) {
    elements_.push_back(
        {PrintName(keyspace.name), type, std::move(name), statements_ ? text() : std::string()});
  }

  const bool statements_;
  const bool internals_;
  Elements elements_;
};

CqlResult<KeyspacePtr> Find(const Schema& schema, std::string_view keyspace) {
  if (keyspace.empty()) return Invalid("No keyspace specified and no current keyspace");
  KeyspacePtr found = schema.FindKeyspace(keyspace);
  if (found == nullptr) return Invalid(fmt::format("'{}' not found in keyspaces", keyspace));
  return found;
}

// Listings are of the session's keyspace, or of all when there is none.
CqlResult<std::vector<KeyspacePtr>> ListedKeyspaces(const Schema& schema,
                                                    std::string_view session_keyspace) {
  if (session_keyspace.empty()) return Listed(schema.keyspaces);
  CQL_ASSIGN(KeyspacePtr found, Find(schema, session_keyspace));
  return std::vector<KeyspacePtr>{std::move(found)};
}

CqlResult<Elements> List(const Schema& schema, DescribeKind kind,
                         std::string_view session_keyspace) {
  Gatherer gatherer(/*statements=*/false, /*internals=*/false);
  CQL_ASSIGN(const std::vector<KeyspacePtr> keyspaces, ListedKeyspaces(schema, session_keyspace));
  for (const KeyspacePtr& keyspace : keyspaces) {
    if (kind == DescribeKind::kTables) {
      for (const TablePtr& table : Listed(keyspace->tables)) {
        if (!table->view.has_value()) gatherer.AddTable(*keyspace, *table);
      }
    } else if (kind == DescribeKind::kTypes) {
      for (const TypePtr& type : Listed(keyspace->types)) gatherer.AddType(*keyspace, *type);
    } else if (kind == DescribeKind::kFunctions) {
      for (const auto& function : keyspace->functions) gatherer.AddFunction(*keyspace, *function);
    } else {
      for (const auto& aggregate : keyspace->aggregates)
        gatherer.AddAggregate(*keyspace, *aggregate);
    }
  }
  return gatherer.Take();
}

std::unexpected<CqlError> Missing(std::string_view what, const Keyspace& keyspace,
                                  std::string_view name) {
  return Invalid(fmt::format("{} '{}' not found in '{}'", what, name, keyspace.name));
}

CqlStatus AddNamedTable(Gatherer& gatherer, const Keyspace& keyspace, std::string_view name) {
  const TablePtr table = keyspace.FindTable(name);
  if (table == nullptr || table->view.has_value())
    return Invalid(fmt::format("Table '{}' not found in keyspace '{}'", name, keyspace.name));
  gatherer.AddTableWithIndexes(keyspace, *table);
  return {};
}

CqlStatus AddNamedView(Gatherer& gatherer, const Keyspace& keyspace, std::string_view name) {
  const TablePtr view = keyspace.FindTable(name);
  if (view == nullptr || !view->view.has_value())
    return Missing("Materialized view", keyspace, name);
  gatherer.AddView(keyspace, *view);
  return {};
}

CqlStatus AddNamedIndex(Gatherer& gatherer, const Keyspace& keyspace, std::string_view name) {
  const TablePtr indexed = keyspace.FindTableOfIndex(name);
  if (indexed == nullptr) return Missing("Table for existing index", keyspace, name);
  gatherer.AddIndex(keyspace, *indexed, *indexed->FindIndex(name));
  return {};
}

CqlStatus AddNamedType(Gatherer& gatherer, const Keyspace& keyspace, std::string_view name) {
  const TypePtr type = keyspace.FindType(name);
  if (type == nullptr) return Missing("User defined type", keyspace, name);
  gatherer.AddType(keyspace, *type);
  return {};
}

// All overloads, here and below.
CqlStatus AddNamedFunctions(Gatherer& gatherer, const Keyspace& keyspace, std::string_view name) {
  bool any = false;
  for (const auto& function : keyspace.functions) {
    if (function->name != name) continue;
    gatherer.AddFunction(keyspace, *function);
    any = true;
  }
  if (!any) return Missing("User defined function", keyspace, name);
  return {};
}

CqlStatus AddNamedAggregates(Gatherer& gatherer, const Keyspace& keyspace, std::string_view name) {
  bool any = false;
  for (const auto& aggregate : keyspace.aggregates) {
    if (aggregate->name != name) continue;
    gatherer.AddAggregate(keyspace, *aggregate);
    any = true;
  }
  if (!any) return Missing("User defined aggregate", keyspace, name);
  return {};
}

// A table, an index or a view, in this order.
CqlStatus AddNamedAnything(Gatherer& gatherer, const Keyspace& keyspace, std::string_view name) {
  const TablePtr table = keyspace.FindTable(name);
  if (table != nullptr && !table->view.has_value()) return AddNamedTable(gatherer, keyspace, name);
  if (keyspace.FindTableOfIndex(name) != nullptr) return AddNamedIndex(gatherer, keyspace, name);
  if (table != nullptr) return AddNamedView(gatherer, keyspace, name);
  return Invalid(fmt::format("'{}' not found in keyspace '{}'", name, keyspace.name));
}

// One element of a keyspace, by its name.
CqlStatus AddNamed(Gatherer& gatherer, const Keyspace& keyspace, DescribeKind kind,
                   std::string_view name) {
  switch (kind) {
    case DescribeKind::kTable:
      return AddNamedTable(gatherer, keyspace, name);
    case DescribeKind::kView:
      return AddNamedView(gatherer, keyspace, name);
    case DescribeKind::kIndex:
      return AddNamedIndex(gatherer, keyspace, name);
    case DescribeKind::kType:
      return AddNamedType(gatherer, keyspace, name);
    case DescribeKind::kFunction:
      return AddNamedFunctions(gatherer, keyspace, name);
    case DescribeKind::kAggregate:
      return AddNamedAggregates(gatherer, keyspace, name);
    default:
      return AddNamedAnything(gatherer, keyspace, name);
  }
}

std::string KeyspaceOfTarget(const Schema& schema, const ast::Describe& statement,
                             std::string_view session_keyspace) {
  const ast::QualifiedName& target = *statement.target;
  if (!target.keyspace.empty()) return target.keyspace;
  if (statement.kind == DescribeKind::kAnything &&
      (session_keyspace.empty() || schema.FindKeyspace(target.name.text) != nullptr))
    return target.name.text;
  return std::string(session_keyspace);
}

CqlStatus AddTarget(Gatherer& gatherer, const Schema& schema, const ast::Describe& statement,
                    std::string_view session_keyspace) {
  CQL_ASSIGN(const KeyspacePtr keyspace,
             Find(schema, KeyspaceOfTarget(schema, statement, session_keyspace)));
  const bool is_keyspace = statement.kind == DescribeKind::kAnything &&
                           statement.target->keyspace.empty() &&
                           schema.FindKeyspace(statement.target->name.text) != nullptr;
  if (is_keyspace) {
    gatherer.AddAllOf(*keyspace);
    return {};
  }
  return AddNamed(gatherer, *keyspace, statement.kind, statement.target->name.text);
}

}  // namespace

bool HasCreateStatements(DescribeKind kind) {
  switch (kind) {
    case DescribeKind::kKeyspaces:
    case DescribeKind::kTables:
    case DescribeKind::kTypes:
    case DescribeKind::kFunctions:
    case DescribeKind::kAggregates:
      return false;
    default:
      return true;
  }
}

CqlResult<Elements> Describe(const Schema& schema, const ast::Describe& statement,
                             std::string_view session_keyspace) {
  ORRERY_CHECK(statement.kind != DescribeKind::kCluster);
  Gatherer gatherer(HasCreateStatements(statement.kind), statement.with_internals);
  switch (statement.kind) {
    case DescribeKind::kSchema:
    case DescribeKind::kFullSchema:
      for (const KeyspacePtr& keyspace : Listed(schema.keyspaces)) {
        if (statement.kind == DescribeKind::kFullSchema || !IsSystemKeyspace(keyspace->name))
          gatherer.AddAllOf(*keyspace);
      }
      break;
    case DescribeKind::kKeyspaces:
      for (const KeyspacePtr& keyspace : Listed(schema.keyspaces)) gatherer.AddKeyspace(*keyspace);
      break;
    case DescribeKind::kKeyspace:
    case DescribeKind::kOnlyKeyspace: {
      const std::string name = statement.target.has_value() ? statement.target->name.text
                                                            : std::string(session_keyspace);
      CQL_ASSIGN(const KeyspacePtr keyspace, Find(schema, name));
      if (statement.kind == DescribeKind::kKeyspace) {
        gatherer.AddAllOf(*keyspace);
      } else {
        gatherer.AddKeyspace(*keyspace);
      }
      break;
    }
    case DescribeKind::kTables:
    case DescribeKind::kTypes:
    case DescribeKind::kFunctions:
    case DescribeKind::kAggregates:
      return List(schema, statement.kind, session_keyspace);
    default:
      CQL_TRY(AddTarget(gatherer, schema, statement, session_keyspace));
      break;
  }
  return gatherer.Take();
}

}  // namespace orrery::cassandra
