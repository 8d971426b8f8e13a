#include <optional>

#include "api/cassandra/parser/grammar/names.h"
#include "api/cassandra/parser/grammar/statements.h"

namespace orrery::cassandra::grammar {
namespace {

using ast::DescribeKind;

// The words that stand alone.
std::optional<DescribeKind> FindPlural(Keyword keyword) {
  switch (keyword) {
    case Keyword::kCluster:
      return DescribeKind::kCluster;
    case Keyword::kSchema:
      return DescribeKind::kSchema;
    case Keyword::kKeyspaces:
      return DescribeKind::kKeyspaces;
    case Keyword::kTables:
      return DescribeKind::kTables;
    case Keyword::kTypes:
      return DescribeKind::kTypes;
    case Keyword::kFunctions:
      return DescribeKind::kFunctions;
    case Keyword::kAggregates:
      return DescribeKind::kAggregates;
    default:
      return std::nullopt;
  }
}

ast::Describe ParseKeyspace(TokenStream& stream, DescribeKind kind) {
  ast::Describe describe{.kind = kind, .target = {}};
  stream.Expect(Keyword::kKeyspace);
  if (AtName(stream)) describe.target = ast::QualifiedName{"", ParseKeyspaceName(stream)};
  return describe;
}

ast::Describe ParseTarget(TokenStream& stream) {
  // All but the reserved ones may also be a name that is asked for, "type.t" or just "type".
  const bool names_kind = !AtName(stream) || AtName(stream, 1);
  if (names_kind) {
    if (stream.Accept(Keyword::kTable))
      return {.kind = DescribeKind::kTable, .target = ParseQualifiedName(stream, "table")};
    if (stream.Accept(Keyword::kIndex))
      return {.kind = DescribeKind::kIndex, .target = ParseQualifiedName(stream, "table")};
    if (stream.Accept(Keyword::kMaterialized)) {
      stream.Expect(Keyword::kView);
      return {.kind = DescribeKind::kView, .target = ParseQualifiedName(stream, "table")};
    }
    if (stream.Accept(Keyword::kType))
      return {.kind = DescribeKind::kType, .target = ParseUserTypeName(stream)};
    if (stream.Accept(Keyword::kFunction))
      return {.kind = DescribeKind::kFunction, .target = ParseFunctionName(stream)};
    if (stream.Accept(Keyword::kAggregate))
      return {.kind = DescribeKind::kAggregate, .target = ParseFunctionName(stream)};
  }
  return {.kind = DescribeKind::kAnything, .target = ParseQualifiedName(stream, "table")};
}

ast::Describe ParseWhat(TokenStream& stream) {
  if (stream.Accept(Keyword::kFull)) {
    stream.Expect(Keyword::kSchema);
    return {.kind = DescribeKind::kFullSchema, .target = {}};
  }
  if (const auto kind = FindPlural(stream.Peek().keyword); kind && !stream.At(Symbol::kDot, 1)) {
    stream.Skip();
    return {.kind = *kind, .target = {}};
  }
  if (stream.At(Keyword::kKeyspace)) return ParseKeyspace(stream, DescribeKind::kKeyspace);
  if (stream.At(Keyword::kOnly) && stream.At(Keyword::kKeyspace, 1)) {
    stream.Skip();
    return ParseKeyspace(stream, DescribeKind::kOnlyKeyspace);
  }
  return ParseTarget(stream);
}

}  // namespace

ast::Describe ParseDescribe(TokenStream& stream) {
  stream.Skip();  // DESCRIBE or DESC
  ast::Describe describe = ParseWhat(stream);
  if (stream.Accept(Keyword::kWith)) {
    stream.Expect(Keyword::kInternals);
    describe.with_internals = true;
  }
  return describe;
}

}  // namespace orrery::cassandra::grammar
