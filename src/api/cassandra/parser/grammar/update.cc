#include <fmt/format.h>

#include <set>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "api/cassandra/parser/grammar/names.h"
#include "api/cassandra/parser/grammar/relations.h"
#include "api/cassandra/parser/grammar/statements.h"
#include "api/cassandra/parser/grammar/terms.h"

namespace orrery::cassandra::grammar {
namespace {

using ast::Assignment;
using ast::AssignmentKind;

void ExpectSameColumn(TokenStream& stream, const ast::Name& column, const ast::Name& other,
                      std::string_view form) {
  if (other.text != column.text)
    stream.Fail(other.position,
                fmt::format("Only expressions of the form {} are supported.", form));
}

// c = c + v, c = c - v, and c = c -1, where the minus went to the number.
void ParseSelfReference(TokenStream& stream, Assignment& assignment) {
  const ast::Name other = ParseColumnName(stream);
  if (stream.Accept(Symbol::kPlus)) {
    ExpectSameColumn(stream, assignment.column, other, "X = X +<value>");
    assignment.kind = AssignmentKind::kAdd;
    assignment.value = ParseTerm(stream);
  } else if (stream.Accept(Symbol::kMinus)) {
    ExpectSameColumn(stream, assignment.column, other, "X = X -<value>");
    assignment.kind = AssignmentKind::kSubtract;
    assignment.value = ParseTerm(stream);
  } else if (stream.At(TokenKind::kInteger)) {
    ExpectSameColumn(stream, assignment.column, other,
                     stream.text().starts_with('-') ? "X = X -<value>" : "X = X +<value>");
    assignment.kind = AssignmentKind::kAdd;
    assignment.value = ParseIntegerOrMarker(stream);
  } else {
    stream.FailNoViable();
  }
}

// Parses what follows "c =".
void ParseNewValue(TokenStream& stream, Assignment& assignment) {
  if (AtColumnName(stream) && !AtTermStart(stream, TermPlace::kValue))
    return ParseSelfReference(stream, assignment);
  assignment.value = ParseTerm(stream);
  if (!stream.Accept(Symbol::kPlus)) return;
  const ast::Name other = ParseColumnName(stream);
  ExpectSameColumn(stream, assignment.column, other, "X = <value> + X");
  assignment.kind = AssignmentKind::kPrepend;
}

Assignment ParseAssignment(TokenStream& stream) {
  Assignment assignment{.column = ParseColumnName(stream), .part = {}, .value = {}};
  if (stream.Accept(Symbol::kPlusEqual)) {
    assignment.kind = AssignmentKind::kAdd;
    assignment.value = ParseTerm(stream);
    return assignment;
  }
  if (stream.Accept(Symbol::kMinusEqual)) {
    assignment.kind = AssignmentKind::kSubtract;
    assignment.value = ParseTerm(stream);
    return assignment;
  }
  assignment.part = ParseColumnPart(stream);
  stream.Expect(Symbol::kEqual);
  if (std::holds_alternative<std::monostate>(assignment.part)) {
    ParseNewValue(stream, assignment);
  } else {
    assignment.value = ParseTerm(stream);
  }
  return assignment;
}

bool SetsWholeColumn(const Assignment& assignment) {
  return assignment.kind == AssignmentKind::kSet &&
         std::holds_alternative<std::monostate>(assignment.part);
}

// A column that is set as a whole cannot be changed otherwise in the same statement, and a field
// only once. Cassandra finds this while it parses, so clients see a syntax error.
void CheckCompatible(TokenStream& stream, const std::vector<Assignment>& assignments) {
  if (assignments.size() < 2) return;
  std::unordered_map<std::string_view, bool> set_as_a_whole;  // by column
  std::set<std::pair<std::string_view, std::string_view>> fields;
  for (const Assignment& assignment : assignments) {
    const std::string_view column = assignment.column.text;
    const bool sets_whole = SetsWholeColumn(assignment);
    const auto [seen, is_first] = set_as_a_whole.try_emplace(column, sets_whole);
    bool clash = !is_first && (seen->second || sets_whole);
    if (const auto* field = std::get_if<ast::Name>(&assignment.part))
      clash |= !fields.emplace(column, field->text).second;
    if (clash) {
      stream.Fail(assignment.column.position,
                  fmt::format("Multiple incompatible setting of column {}", column));
      return;
    }
  }
}

}  // namespace

ast::Update ParseUpdate(TokenStream& stream) {
  ast::Update update;
  stream.Expect(Keyword::kUpdate);
  update.table = ParseQualifiedName(stream, "table");
  update.attributes = ParseUsing(stream);
  stream.Expect(Keyword::kSet);
  do {
    update.assignments.push_back(ParseAssignment(stream));
  } while (stream.Accept(Symbol::kComma));
  stream.Expect(Keyword::kWhere);
  update.where = ParseWhere(stream);
  update.conditions = ParseIf(stream);
  if (!stream.failed()) CheckCompatible(stream, update.assignments);
  return update;
}

}  // namespace orrery::cassandra::grammar
