#include <fmt/core.h>

#include "api/cassandra/parser/grammar/names.h"
#include "api/cassandra/parser/grammar/properties.h"
#include "api/cassandra/parser/grammar/statements.h"
#include "api/cassandra/parser/grammar/terms.h"
#include "query/lexer/character_class.h"

namespace orrery::cassandra::grammar {
namespace {

bool ParseBoolean(TokenStream& stream) {
  if (!stream.At(TokenKind::kBoolean)) {
    stream.FailMismatch("BOOLEAN");
    return false;
  }
  return query::EqualsIgnoringCase(TakeConstant(stream).text, "true");
}

// Parses what follows ACCESS TO.
std::vector<std::string> ParseDatacenters(TokenStream& stream) {
  std::vector<std::string> datacenters;
  if (stream.Accept(Keyword::kAll)) {
    stream.Expect(Keyword::kDatacenters);
    return datacenters;
  }
  stream.Expect(Keyword::kDatacenters);
  stream.Expect(Symbol::kLeftBrace);
  do {
    datacenters.push_back(stream.ExpectString());
  } while (stream.Accept(Symbol::kComma));
  stream.Expect(Symbol::kRightBrace);
  return datacenters;
}

// Parses what follows an option's name.
template <typename Value>
void SetOnce(TokenStream& stream, std::string_view name, std::optional<Value>& option,
             Value (*parse)(TokenStream&)) {
  if (option.has_value())
    stream.Fail(stream.position(), fmt::format("Multiple definition for property '{}'", name));
  stream.Expect(Symbol::kEqual);
  option = parse(stream);
}

std::string ParseString(TokenStream& stream) { return stream.ExpectString(); }

void ParseRoleOption(TokenStream& stream, ast::RoleOptions& options) {
  if (stream.Accept(Keyword::kPassword)) {
    SetOnce(stream, "PASSWORD", options.password, ParseString);
  } else if (stream.Accept(Keyword::kHashed, Keyword::kPassword)) {
    SetOnce(stream, "HASHED_PASSWORD", options.hashed_password, ParseString);
  } else if (stream.Accept(Keyword::kOptions)) {
    SetOnce(stream, "OPTIONS", options.custom, ParsePropertyMap);
  } else if (stream.Accept(Keyword::kSuperuser)) {
    SetOnce(stream, "SUPERUSER", options.superuser, ParseBoolean);
  } else if (stream.Accept(Keyword::kLogin)) {
    SetOnce(stream, "LOGIN", options.login, ParseBoolean);
  } else if (stream.Accept(Keyword::kAccess)) {
    stream.Expect(Keyword::kTo);
    options.datacenters = ParseDatacenters(stream);
  } else {
    stream.FailNoViable();
  }
}

void CheckOnePassword(TokenStream& stream, const ast::RoleOptions& options) {
  if (options.password && options.hashed_password)
    stream.Fail(stream.position(),
                "Options 'password' and 'hashed password' are mutually exclusive");
}

ast::RoleOptions ParseRoleOptions(TokenStream& stream) {
  ast::RoleOptions options;
  if (!stream.Accept(Keyword::kWith)) return options;
  do {
    ParseRoleOption(stream, options);
  } while (stream.Accept(Keyword::kAnd));
  CheckOnePassword(stream, options);
  return options;
}

// [WITH [HASHED] PASSWORD 'x'] [SUPERUSER | NOSUPERUSER]
ast::RoleOptions ParseUserOptions(TokenStream& stream) {
  ast::RoleOptions options;
  if (stream.Accept(Keyword::kWith)) {
    const bool hashed = stream.Accept(Keyword::kHashed);
    stream.Expect(Keyword::kPassword);
    (hashed ? options.hashed_password : options.password) = stream.ExpectString();
  }
  if (stream.Accept(Keyword::kSuperuser)) {
    options.superuser = true;
  } else if (stream.Accept(Keyword::kNosuperuser)) {
    options.superuser = false;
  }
  return options;
}

}  // namespace

ast::Name ParseUserName(TokenStream& stream) {
  const query::TextPosition position = stream.position();
  if (stream.At(TokenKind::kString)) return ParseRoleName(stream);
  if (stream.At(TokenKind::kQuotedName)) {
    stream.Fail(position,
                "Quoted strings are are not supported for user names and USER is deprecated, "
                "please use ROLE");
  } else if (!stream.At(TokenKind::kIdentifier)) {
    stream.FailNoViable();
  }
  // Unlike a role's name it keeps its case.
  std::string name(stream.text());
  stream.Skip();
  return {.text = std::move(name), .position = position};
}

ast::CreateRole ParseCreateRole(TokenStream& stream) {
  stream.Expect(Keyword::kRole);
  ast::CreateRole create;
  create.if_not_exists = AcceptIfNotExists(stream);
  create.role = ParseRoleName(stream);
  create.options = ParseRoleOptions(stream);
  return create;
}

ast::CreateRole ParseCreateUser(TokenStream& stream) {
  stream.Expect(Keyword::kUser);
  ast::CreateRole create;
  create.if_not_exists = AcceptIfNotExists(stream);
  create.role = ParseUserName(stream);
  create.options = ParseUserOptions(stream);
  create.options.login = true;
  if (!create.options.superuser) create.options.superuser = false;
  return create;
}

ast::AlterRole ParseAlterRole(TokenStream& stream) {
  stream.Expect(Keyword::kRole);
  ast::AlterRole alter;
  alter.if_exists = AcceptIfExists(stream);
  alter.role = ParseRoleName(stream);
  alter.options = ParseRoleOptions(stream);
  return alter;
}

ast::AlterRole ParseAlterUser(TokenStream& stream) {
  stream.Expect(Keyword::kUser);
  ast::AlterRole alter;
  alter.if_exists = AcceptIfExists(stream);
  alter.role = ParseUserName(stream);
  alter.options = ParseUserOptions(stream);
  return alter;
}

}  // namespace orrery::cassandra::grammar
