#include "api/cassandra/access/resource_lookup.h"

#include <vector>

#include "api/cassandra/access/resource_tree.h"
#include "api/cassandra/parser/print/print.h"
#include "api/cassandra/schema/ddl/signature.h"

namespace orrery::cassandra {
namespace {

constexpr std::string_view kNativeFunctions = "system";

template <typename Definition>
FoundResource Found(const Definition& definition) {
  return {Resource::Function(definition.keyspace, definition.name,
                             TypeNames(definition.argument_types)),
          true};
}

struct Finder {
  const Schema& schema;
  const RoleSet& roles;
  std::string_view session;

  bool HasKeyspace(std::string_view name) const { return schema.FindKeyspace(name) != nullptr; }

  CqlResult<FoundResource> operator()(const ast::AllKeyspaces&) const {
    return FoundResource{Resource::AllKeyspaces(), true};
  }
  CqlResult<FoundResource> operator()(const ast::KeyspaceResource& named) const {
    return FoundResource{Resource::Keyspace(named.keyspace.text), HasKeyspace(named.keyspace.text)};
  }
  CqlResult<FoundResource> operator()(const ast::AllTables& named) const {
    return FoundResource{AllTablesOf(named.keyspace.text), HasKeyspace(named.keyspace.text)};
  }
  CqlResult<FoundResource> operator()(const ast::TableResource& named) const {
    CQL_ASSIGN(const std::string keyspace, KeyspaceOf(named.table, session));
    const std::string& table = named.table.name.text;
    return FoundResource{Resource::Table(keyspace, table),
                         schema.FindTable(keyspace, table) != nullptr};
  }
  CqlResult<FoundResource> operator()(const ast::AllRoles&) const {
    return FoundResource{Resource::AllRoles(), true};
  }
  CqlResult<FoundResource> operator()(const ast::RoleResource& named) const {
    return FoundResource{Resource::Role(named.role.text), roles.Find(named.role.text) != nullptr};
  }
  CqlResult<FoundResource> operator()(const ast::AllFunctions& named) const {
    if (!named.keyspace.has_value()) return FoundResource{Resource::AllFunctions(), true};
    return FoundResource{Resource::Functions(named.keyspace->text),
                         HasKeyspace(named.keyspace->text)};
  }
  CqlResult<FoundResource> operator()(const ast::FunctionResource& named) const;
  CqlResult<FoundResource> operator()(const ast::AllMbeans&) const {
    return FoundResource{cassandra::AllMbeans(), true};
  }
  CqlResult<FoundResource> operator()(const ast::MbeanResource& named) const {
    return FoundResource{Mbean(named.name), true};
  }
};

CqlResult<FoundResource> Finder::operator()(const ast::FunctionResource& named) const {
  const std::string& keyspace_name = named.function.keyspace;
  if (keyspace_name.empty()) {
    return Invalid("In this context function name must be explictly qualified by a keyspace");
  }
  if (keyspace_name == kNativeFunctions)
    return Invalid("Altering permissions on builtin functions is not supported");
  const std::string& name = named.function.name.text;
  if (const KeyspacePtr keyspace = schema.FindKeyspace(keyspace_name); keyspace != nullptr) {
    const auto types = ArgumentTypes(named.argument_types, *keyspace);
    if (types.has_value()) {
      // By the types of the definition, which is how calls of it are checked.
      if (const auto function = FindFunction(*keyspace, name, *types); function != nullptr)
        return Found(*function);
      if (const auto aggregate = FindAggregate(*keyspace, name, *types); aggregate != nullptr)
        return Found(*aggregate);
    }
  }
  std::vector<std::string> written;
  for (const ast::RawType& type : named.argument_types) written.push_back(PrintType(type));
  return FoundResource{Resource::Function(keyspace_name, name, written), false};
}

}  // namespace

CqlResult<FoundResource> LookUpResource(const ast::Resource& named, const Schema& schema,
                                        const RoleSet& roles, std::string_view session) {
  return std::visit(Finder{schema, roles, session}, named);
}

}  // namespace orrery::cassandra
