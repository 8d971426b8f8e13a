#include <algorithm>
#include <optional>
#include <vector>

#include "api/cassandra/parser/grammar/names.h"
#include "api/cassandra/parser/grammar/statements.h"
#include "api/cassandra/parser/grammar/types.h"

namespace orrery::cassandra::grammar {
namespace {

using ast::Permission;

std::optional<Permission> FindPermission(Keyword keyword) {
  switch (keyword) {
    case Keyword::kCreate:
      return Permission::kCreate;
    case Keyword::kAlter:
      return Permission::kAlter;
    case Keyword::kDrop:
      return Permission::kDrop;
    case Keyword::kSelect:
      return Permission::kSelect;
    case Keyword::kModify:
      return Permission::kModify;
    case Keyword::kAuthorize:
      return Permission::kAuthorize;
    case Keyword::kDescribe:
      return Permission::kDescribe;
    case Keyword::kExecute:
      return Permission::kExecute;
    default:
      return std::nullopt;
  }
}

// A role may be called "all", so what follows decides.
bool AtPermissions(const TokenStream& stream) {
  if (FindPermission(stream.Peek().keyword)) return true;
  return stream.At(Keyword::kAll) &&
         (stream.At(Keyword::kPermissions, 1) || stream.At(Keyword::kOn, 1));
}

std::vector<Permission> ParsePermissions(TokenStream& stream) {
  std::vector<Permission> permissions;
  if (stream.Accept(Keyword::kAll)) {
    stream.Accept(Keyword::kPermissions);
    permissions.assign(std::begin(ast::kAllPermissions), std::end(ast::kAllPermissions));
    return permissions;
  }
  do {
    const auto permission = FindPermission(stream.Peek().keyword);
    if (!permission) {
      stream.FailNoViable();
      break;
    }
    stream.Skip();
    stream.Accept(Keyword::kPermission);
    if (std::ranges::find(permissions, *permission) == permissions.end())
      permissions.push_back(*permission);
  } while (stream.Accept(Symbol::kComma));
  return permissions;
}

ast::Name ParseInKeyspace(TokenStream& stream) {
  stream.Expect(Keyword::kIn);
  if (!stream.Accept(Keyword::kSchema)) stream.Expect(Keyword::kKeyspace);
  return ParseKeyspaceName(stream);
}

// ALL KEYSPACES, ALL TABLES IN KEYSPACE k, ...; nothing when ALL is a table's name.
std::optional<ast::Resource> AcceptAll(TokenStream& stream) {
  if (stream.Accept(Keyword::kAll, Keyword::kKeyspaces)) return ast::AllKeyspaces{};
  if (stream.Accept(Keyword::kAll, Keyword::kTables))
    return ast::AllTables{ParseInKeyspace(stream)};
  if (stream.Accept(Keyword::kAll, Keyword::kRoles)) return ast::AllRoles{};
  if (stream.Accept(Keyword::kAll, Keyword::kMbeans)) return ast::AllMbeans{};
  if (!stream.Accept(Keyword::kAll, Keyword::kFunctions)) return std::nullopt;
  ast::AllFunctions functions;
  if (stream.At(Keyword::kIn)) functions.keyspace = ParseInKeyspace(stream);
  return functions;
}

// The words of most kinds of resource are good names for tables too: what follows decides.
ast::Resource ParseResource(TokenStream& stream) {
  if (auto all = AcceptAll(stream)) return std::move(*all);
  if (stream.Accept(Keyword::kKeyspace) || stream.Accept(Keyword::kSchema))
    return ast::KeyspaceResource{ParseKeyspaceName(stream)};
  if (stream.At(Keyword::kRole) && AtRoleName(stream, 1)) {
    stream.Skip();
    return ast::RoleResource{ParseRoleName(stream)};
  }
  if (stream.At(Keyword::kFunction) && AtFunctionCall(stream, 1)) {
    stream.Skip();
    ast::QualifiedName function = ParseFunctionName(stream);
    return ast::FunctionResource{std::move(function), ParseTypeList(stream)};
  }
  const bool is_pattern = stream.At(Keyword::kMbeans);
  if ((is_pattern || stream.At(Keyword::kMbean)) && stream.At(TokenKind::kString, 1)) {
    stream.Skip();
    return ast::MbeanResource{.name = stream.ExpectString(), .is_pattern = is_pattern};
  }
  stream.Accept(Keyword::kTable);
  return ast::TableResource{ParseQualifiedName(stream, "table")};
}

// [OF role]
std::optional<ast::Name> ParseOf(TokenStream& stream) {
  if (!stream.Accept(Keyword::kOf)) return std::nullopt;
  return ParseRoleName(stream);
}

}  // namespace

ast::Statement ParseGrant(TokenStream& stream) {
  stream.Expect(Keyword::kGrant);
  if (!AtPermissions(stream)) {
    ast::GrantRole grant{.role = ParseRoleName(stream), .grantee = {}};
    stream.Expect(Keyword::kTo);
    grant.grantee = ParseRoleName(stream);
    return grant;
  }
  ast::GrantPermissions grant{
      .permissions = ParsePermissions(stream), .resource = {}, .grantee = {}};
  stream.Expect(Keyword::kOn);
  grant.resource = ParseResource(stream);
  stream.Expect(Keyword::kTo);
  grant.grantee = ParseRoleName(stream);
  return grant;
}

ast::Statement ParseRevoke(TokenStream& stream) {
  stream.Expect(Keyword::kRevoke);
  if (!AtPermissions(stream)) {
    ast::RevokeRole revoke{.role = ParseRoleName(stream), .revokee = {}};
    stream.Expect(Keyword::kFrom);
    revoke.revokee = ParseRoleName(stream);
    return revoke;
  }
  ast::RevokePermissions revoke{
      .permissions = ParsePermissions(stream), .resource = {}, .revokee = {}};
  stream.Expect(Keyword::kOn);
  revoke.resource = ParseResource(stream);
  stream.Expect(Keyword::kFrom);
  revoke.revokee = ParseRoleName(stream);
  return revoke;
}

ast::Statement ParseList(TokenStream& stream) {
  stream.Expect(Keyword::kList);
  if (stream.Accept(Keyword::kUsers)) return ast::ListUsers{};
  if (stream.Accept(Keyword::kRoles)) {
    ast::ListRoles list{.of = ParseOf(stream)};
    list.recursive = !stream.Accept(Keyword::kNorecursive);
    return list;
  }
  ast::ListPermissions list{.permissions = ParsePermissions(stream), .resource = {}, .of = {}};
  if (stream.Accept(Keyword::kOn)) list.resource = ParseResource(stream);
  list.of = ParseOf(stream);
  list.recursive = !stream.Accept(Keyword::kNorecursive);
  return list;
}

}  // namespace orrery::cassandra::grammar
