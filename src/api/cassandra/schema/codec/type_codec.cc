#include "api/cassandra/schema/codec/type_codec.h"

#include <fmt/format.h>

#include "api/cassandra/parser/parser.h"
#include "api/cassandra/schema/schema.h"

namespace orrery::cassandra {
namespace {

// The type that tables of COMPACT STORAGE and dropped columns may have though no statement can name
// it.
constexpr std::string_view kEmptyType = "empty";

}  // namespace

Result<TypePtr> TypeFromText(std::string_view text, const Keyspace& keyspace) {
  if (text == kEmptyType) return Type::Native(TypeKind::kEmpty);
  const auto parsed = ParseType(text);
  if (!parsed.has_value()) {
    return Fail(Code::kCorruption,
                fmt::format("'{}' is no type: {}", text, parsed.error().message));
  }
  auto resolved = ResolveType(*parsed, keyspace);
  if (!resolved.has_value())
    return Fail(Code::kCorruption, fmt::format("type '{}': {}", text, resolved.error().message));
  return *std::move(resolved);
}

}  // namespace orrery::cassandra
