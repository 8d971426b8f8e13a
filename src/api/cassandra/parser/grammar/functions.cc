#include "api/cassandra/parser/grammar/names.h"
#include "api/cassandra/parser/grammar/statements.h"
#include "api/cassandra/parser/grammar/terms.h"
#include "api/cassandra/parser/grammar/types.h"
#include "query/lexer/character_class.h"

namespace orrery::cassandra::grammar {
namespace {

std::vector<ast::FunctionArgument> ParseArguments(TokenStream& stream) {
  std::vector<ast::FunctionArgument> arguments;
  stream.Expect(Symbol::kLeftParen);
  if (stream.Accept(Symbol::kRightParen)) return arguments;
  do {
    ast::FunctionArgument argument{.name = ParseName(stream), .type = {}};
    argument.type = ParseType(stream);
    arguments.push_back(std::move(argument));
  } while (stream.Accept(Symbol::kComma));
  stream.Expect(Symbol::kRightParen);
  return arguments;
}

// CALLED ON NULL INPUT or RETURNS NULL ON NULL INPUT: whether it is the first.
bool ParseCalledOnNullInput(TokenStream& stream) {
  const bool called = stream.Accept(Keyword::kCalled);
  if (!called) {
    stream.Expect(Keyword::kReturns);
    stream.Expect(Keyword::kNull);
  }
  stream.Expect(Keyword::kOn);
  stream.Expect(Keyword::kNull);
  stream.Expect(Keyword::kInput);
  return called;
}

std::string ParseLanguage(TokenStream& stream) {
  stream.Expect(Keyword::kLanguage);
  if (!stream.At(TokenKind::kIdentifier)) {
    stream.FailMismatch("IDENT");
    return {};
  }
  std::string language = query::ToLower(stream.text());
  stream.Skip();
  return language;
}

}  // namespace

ast::CreateFunction ParseCreateFunction(TokenStream& stream, bool or_replace) {
  stream.Expect(Keyword::kFunction);
  ast::CreateFunction create;
  create.or_replace = or_replace;
  create.if_not_exists = AcceptIfNotExists(stream);
  create.function = ParseFunctionName(stream);
  create.arguments = ParseArguments(stream);
  create.called_on_null_input = ParseCalledOnNullInput(stream);
  stream.Expect(Keyword::kReturns);
  create.return_type = ParseType(stream);
  create.language = ParseLanguage(stream);
  stream.Expect(Keyword::kAs);
  create.body = stream.ExpectString();
  return create;
}

ast::CreateAggregate ParseCreateAggregate(TokenStream& stream, bool or_replace) {
  stream.Expect(Keyword::kAggregate);
  ast::CreateAggregate create;
  create.or_replace = or_replace;
  create.if_not_exists = AcceptIfNotExists(stream);
  create.aggregate = ParseFunctionName(stream);
  create.argument_types = ParseTypeList(stream);
  stream.Expect(Keyword::kSfunc);
  create.state_function = ParseFunctionNameAlone(stream);
  stream.Expect(Keyword::kStype);
  create.state_type = ParseType(stream);
  if (stream.Accept(Keyword::kFinalfunc)) create.final_function = ParseFunctionNameAlone(stream);
  if (stream.Accept(Keyword::kInitcond)) create.initial_condition = ParseTerm(stream);
  return create;
}

}  // namespace orrery::cassandra::grammar
