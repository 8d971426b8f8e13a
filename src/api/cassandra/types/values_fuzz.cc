// Any bytes as a value of any type: nothing crashes, and what is valid survives all its forms.
//
//   input := type value
//   type  := tag:uint8 type*       ; as many as the tag's kind has parameters
#include <cstdint>
#include <string_view>

#include "api/cassandra/types/arithmetic.h"
#include "api/cassandra/types/cast.h"
#include "api/cassandra/types/collection_codec.h"
#include "api/cassandra/types/compare.h"
#include "api/cassandra/types/json/json.h"
#include "api/cassandra/types/key_value.h"
#include "api/cassandra/types/literal.h"
#include "api/cassandra/types/marshal_name.h"
#include "api/cassandra/types/type_builder.h"
#include "api/cassandra/types/validate.h"
#include "base/bytes.h"
#include "base/check.h"
#include "model/key/key_codec.h"

namespace orrery::cassandra {
namespace {

constexpr int kDepthMax = 5;

TypePtr ReadType(ByteReader& reader, int depth) {
  constexpr auto kKinds = static_cast<uint8_t>(TypeKind::kCustom) + 1;
  uint8_t tag = 0;
  if (!reader.ReadBigEndian(tag)) return testing::Int();
  const auto kind = static_cast<TypeKind>(tag % kKinds);
  if (kind == TypeKind::kCustom) return Type::Custom("com.example.Odd");
  if (kind <= TypeKind::kVarint || depth == kDepthMax)
    return Type::Native(kind <= TypeKind::kVarint ? kind : TypeKind::kText);
  TypePtr first = ReadType(reader, depth + 1);
  Result<TypePtr> type = first;
  switch (kind) {
    case TypeKind::kList:
      type = Type::List(first, Cells::kFrozen);
      break;
    case TypeKind::kSet:
      type = Type::Set(first, Cells::kFrozen);
      break;
    case TypeKind::kMap:
      type = Type::Map(first, ReadType(reader, depth + 1), Cells::kFrozen);
      break;
    case TypeKind::kTuple:
      type = Type::Tuple({first, ReadType(reader, depth + 1)});
      break;
    case TypeKind::kUdt:
      type =
          Type::User({"ks", "t", {"a", "B"}, {first, ReadType(reader, depth + 1)}}, Cells::kFrozen);
      break;
    default:
      type = Type::Vector(first, 2);
      break;
  }
  return type.value_or(first);  // a counter in a list, say
}

void CheckKey(const Type& type, std::string_view bytes) {
  const auto value = ToKeyValue(type, bytes);
  if (!value.has_value()) return;  // too large for a key
  std::string key;
  model::AppendKey(key, *value, model::Order::kCql);
  ByteReader reader(key);
  const auto read = model::ReadKey(reader);
  ORRERY_CHECK(read.has_value() && reader.empty());
  const auto back = FromKeyValue(type, *read);
  ORRERY_CHECK(back.has_value() && Validate(type, *back).has_value());
  ORRERY_CHECK(Compare(type, bytes, *back) == 0);
}

void CheckJson(const Type& type, std::string_view bytes) {
  const auto text = ToJson(type, bytes);
  if (!text.has_value()) return;  // a number with too many digits
  const auto json = ParseJson(*text);
  ORRERY_CHECK(json.has_value());
  const auto back = FromJson(type, *json, /*now_ms=*/0);
  // NaN and the empty value have no JSON that every type takes back.
  if (back.has_value() && back->has_value()) ORRERY_CHECK(Validate(type, **back).has_value());
}

// Anything that is computed from the value must be a value of the promised type.
void CheckComputed(const Type& type, std::string_view bytes) {
  for (const Operator op : {Operator::kAdd, Operator::kSubtract, Operator::kMultiply,
                            Operator::kDivide, Operator::kModulo}) {
    const auto result_type = ArithmeticType(op, type, type);
    if (!result_type.has_value()) continue;
    const auto result = Compute(op, type, bytes, type, bytes);
    if (result.has_value() && result->has_value())
      ORRERY_CHECK(Validate(**result_type, **result).has_value());
  }
  if (IsNumeric(type)) {
    const auto negated = Negate(type, bytes);
    if (negated.has_value() && negated->has_value())
      ORRERY_CHECK(Validate(type, **negated).has_value());
  }
  for (uint8_t kind = 0; kind <= static_cast<uint8_t>(TypeKind::kVarint); ++kind) {
    const TypePtr& to = Type::Native(static_cast<TypeKind>(kind));
    if (!CanCast(type, *to)) continue;
    const auto cast = Cast(type, *to, bytes);
    if (cast.has_value() && cast->has_value()) ORRERY_CHECK(Validate(*to, **cast).has_value());
  }
}

void CheckValue(const Type& type, std::string_view bytes) {
  const bool valid = Validate(type, bytes).has_value();
  const auto literal = ToCqlLiteral(type, bytes);
  const auto half = bytes.substr(0, bytes.size() / 2);
  const auto order = Compare(type, bytes, half);
  ORRERY_CHECK((0 <=> order) == Compare(type, half, bytes));
  ORRERY_CHECK(Compare(type, bytes, bytes) == 0);
  if (!valid) {
    static_cast<void>(ToJson(type, bytes));
    static_cast<void>(ToKeyValue(type, bytes));
    return;
  }
  CheckKey(type, bytes);
  CheckJson(type, bytes);
  CheckComputed(type, bytes);
  const auto normal = Normalise(type, bytes);
  ORRERY_CHECK(normal.has_value() && Validate(type, *normal).has_value());
  ORRERY_CHECK(Normalise(type, *normal).value() == *normal);
}

// The same bytes as the texts that clients send.
void CheckTexts(const Type& type, std::string_view bytes) {
  const std::string text(bytes);
  for (const ConstantKind kind :
       {ConstantKind::kString, ConstantKind::kInteger, ConstantKind::kFloat, ConstantKind::kUuid,
        ConstantKind::kBoolean, ConstantKind::kDuration}) {
    const auto value = FromConstant({kind, text}, type, "c", /*now_ms=*/0);
    if (value.has_value() && value->has_value()) ORRERY_CHECK(Validate(type, **value).has_value());
  }
  if (const auto json = ParseJson(text); json.has_value()) {
    const auto value = FromJson(type, *json, /*now_ms=*/0);
    if (value.has_value() && value->has_value()) ORRERY_CHECK(Validate(type, **value).has_value());
  }
  static_cast<void>(ParseMarshalName(text));
}

}  // namespace
}  // namespace orrery::cassandra

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace orrery::cassandra;
  orrery::ByteReader reader({reinterpret_cast<const char*>(data), size});
  const TypePtr type = ReadType(reader, /*depth=*/1);
  ORRERY_CHECK(*ParseMarshalName(MarshalName(*type)).value() == *type);
  CheckValue(*type, reader.rest());
  CheckTexts(*type, reader.rest());
  return 0;
}
