// Results of scripts, as values of any type: nothing crashes, and accepted ones are valid and go
// back in.
//
//   input := type:uint8 json
#include <cstdint>
#include <string_view>
#include <vector>

#include "api/cassandra/types/type_builder.h"
#include "api/cassandra/types/validate.h"
#include "api/cassandra/user_function/script_value.h"
#include "base/check.h"
#include "model/document/json.h"
#include "script/script_value_expectation.h"

namespace orrery::cassandra {
namespace {

// Every native type, then one of each that is built of others.
const TypeList& Types() {
  static const TypeList types = [] {
    TypeList all;
    for (int kind = 0; kind < static_cast<int>(TypeKind::kList); ++kind)
      all.push_back(Type::Native(static_cast<TypeKind>(kind)));
    const TypePtr varint = Type::Native(TypeKind::kVarint);
    const TypePtr timestamp = Type::Native(TypeKind::kTimestamp);
    all.push_back(testing::ListOf(testing::SetOf(varint)));
    all.push_back(testing::MapOf(testing::Int(), testing::Text()));
    all.push_back(testing::TupleOf({timestamp, Type::Native(TypeKind::kDecimal)}));
    all.push_back(testing::Udt("pair", {"a", "b"}, {testing::Text(), testing::ListOf(varint)}));
    all.push_back(testing::VectorOf(Type::Native(TypeKind::kFloat), 2));
    all.push_back(testing::VectorOf(testing::Text(), 2));
    all.push_back(Type::Custom("com.example.Odd"));
    return all;
  }();
  return types;
}

}  // namespace
}  // namespace orrery::cassandra

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace orrery::cassandra;
  if (size == 0) return 0;
  const Type& type = *Types()[data[0] % Types().size()];
  const auto given =
      orrery::model::ValueFromJson({reinterpret_cast<const char*>(data + 1), size - 1});
  if (!given.has_value()) return 0;
  const auto taken = FromScriptValue(type, *given);
  if (!taken.has_value() || !taken->has_value()) return 0;
  ORRERY_CHECK(Validate(type, **taken).has_value());
  // The same value, as a script that got it would give it.
  const auto seen = ToScriptValue(type, **taken);
  if (seen.has_value())
    ORRERY_CHECK(FromScriptValue(type, orrery::script::AfterRoundTrip(*seen)).has_value());
  return 0;
}
