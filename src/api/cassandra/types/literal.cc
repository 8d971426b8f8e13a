#include "api/cassandra/types/literal.h"

#include <fmt/format.h>

#include <algorithm>

#include "api/cassandra/parser/print/print.h"
#include "api/cassandra/types/collection_codec.h"
#include "api/cassandra/types/compare.h"
#include "api/cassandra/types/native/big_arithmetic.h"
#include "api/cassandra/types/native/decimal.h"
#include "api/cassandra/types/native/real.h"
#include "api/cassandra/types/validate.h"
#include "api/cassandra/types/value_text.h"
#include "base/bytes.h"

namespace orrery::cassandra {
namespace {

bool Takes(ConstantKind constant, TypeKind receiver) {
  switch (receiver) {
    case TypeKind::kAscii:
    case TypeKind::kText:
    case TypeKind::kInet:
      return constant == ConstantKind::kString;
    case TypeKind::kDate:
    case TypeKind::kTime:
    case TypeKind::kTimestamp:
      return constant == ConstantKind::kString || constant == ConstantKind::kInteger;
    case TypeKind::kBigint:
    case TypeKind::kCounter:
    case TypeKind::kInt:
    case TypeKind::kSmallint:
    case TypeKind::kTinyint:
    case TypeKind::kVarint:
      return constant == ConstantKind::kInteger;
    case TypeKind::kDecimal:
    case TypeKind::kDouble:
    case TypeKind::kFloat:
      return constant == ConstantKind::kInteger || constant == ConstantKind::kFloat;
    case TypeKind::kDuration:
      return constant == ConstantKind::kInteger || constant == ConstantKind::kDuration;
    case TypeKind::kUuid:
    case TypeKind::kTimeuuid:
      return constant == ConstantKind::kUuid;
    case TypeKind::kBoolean:
      return constant == ConstantKind::kBoolean;
    case TypeKind::kBlob:
      return constant == ConstantKind::kHex;
    case TypeKind::kCustom:
    case TypeKind::kTuple:
      return true;
    default:
      return false;
  }
}

TypePtr PreferredInteger(const std::string& text) {
  const auto bytes = ParseVarint(text);
  if (!bytes.has_value()) return Type::Native(TypeKind::kVarint);
  if (bytes->size() <= 4) return Type::Native(TypeKind::kInt);
  return Type::Native(bytes->size() <= 8 ? TypeKind::kBigint : TypeKind::kVarint);
}

// double where it holds the number exactly as Double.toString shows it.
TypePtr PreferredReal(const std::string& text) {
  const auto exact = ParseDecimal(text);
  if (!exact.has_value()) return Type::Native(TypeKind::kDouble);  // NaN, Infinity
  const auto nearest = ParseDouble(text);
  if (!nearest.has_value()) return Type::Native(TypeKind::kDecimal);
  const auto shown = DecimalFromDouble(*nearest);
  const bool same = shown.has_value() && CompareDecimals(*exact, *shown) == 0;
  return Type::Native(same ? TypeKind::kDouble : TypeKind::kDecimal);
}

// NaN and Infinity are keywords, which a statement may write in any case.
std::string CanonicalReal(std::string_view text) {
  const bool negative = text.starts_with('-');
  if (negative) text.remove_prefix(1);
  const std::string sign = negative ? "-" : "";
  if (text.size() == 3 && (text[0] | 0x20) == 'n') return "NaN";
  if (text.size() == 8 && (text[0] | 0x20) == 'i') return sign + "Infinity";
  return sign + std::string(text);
}

Result<std::string> SequenceLiteral(const Type& element, const Views& values, char open,
                                    char close) {
  std::string literal(1, open);
  for (size_t i = 0; i < values.size(); ++i) {
    if (i > 0) literal += ", ";
    ORRERY_ASSIGN(const std::string part, ToCqlLiteral(element, values[i]));
    literal += part;
  }
  literal += close;
  return literal;
}

Result<std::string> MapLiteral(const Type& type, std::string_view bytes) {
  ORRERY_ASSIGN(const std::vector<EntryView> entries, UnpackEntries(bytes));
  std::string literal = "{";
  for (size_t i = 0; i < entries.size(); ++i) {
    if (i > 0) literal += ", ";
    ORRERY_ASSIGN(const std::string key, ToCqlLiteral(type.key(), entries[i].key));
    ORRERY_ASSIGN(const std::string value, ToCqlLiteral(type.value(), entries[i].value));
    literal += key + ": " + value;
  }
  literal += '}';
  return literal;
}

Result<std::string> ComponentsLiteral(const Type& type, std::string_view bytes) {
  const bool is_udt = type.kind() == TypeKind::kUdt;
  ORRERY_ASSIGN(const std::vector<NullableView> components, UnpackComponents(type, bytes));
  std::string literal(1, is_udt ? '{' : '(');
  for (size_t i = 0; i < components.size(); ++i) {
    if (i > 0) literal += ", ";
    if (is_udt) literal += PrintName(type.udt().field_names[i]) + ": ";
    if (!components[i].has_value()) {
      literal += "null";
      continue;
    }
    ORRERY_ASSIGN(const std::string part, ToCqlLiteral(*type.parameters()[i], *components[i]));
    literal += part;
  }
  literal += is_udt ? '}' : ')';
  return literal;
}

ConstantKind KindOf(ast::ConstantKind kind) {
  switch (kind) {
    case ast::ConstantKind::kString:
      return ConstantKind::kString;
    case ast::ConstantKind::kInteger:
      return ConstantKind::kInteger;
    case ast::ConstantKind::kFloat:
    case ast::ConstantKind::kNan:
    case ast::ConstantKind::kInfinity:
      return ConstantKind::kFloat;
    case ast::ConstantKind::kBoolean:
      return ConstantKind::kBoolean;
    case ast::ConstantKind::kUuid:
      return ConstantKind::kUuid;
    case ast::ConstantKind::kHex:
      return ConstantKind::kHex;
    case ast::ConstantKind::kDuration:
      return ConstantKind::kDuration;
  }
  return ConstantKind::kNull;
}

}  // namespace

Constant ToConstant(const ast::Constant& constant) {
  return {KindOf(constant.kind), constant.text};
}

std::string_view ConstantKindName(ConstantKind kind) {
  switch (kind) {
    case ConstantKind::kNull:
      return "NULL";
    case ConstantKind::kString:
      return "STRING";
    case ConstantKind::kInteger:
      return "INTEGER";
    case ConstantKind::kFloat:
      return "FLOAT";
    case ConstantKind::kBoolean:
      return "BOOLEAN";
    case ConstantKind::kUuid:
      return "UUID";
    case ConstantKind::kHex:
      return "HEX";
    case ConstantKind::kDuration:
      return "DURATION";
  }
  return "";
}

Assignability TestAssignment(const Constant& constant, const Type& receiver) {
  if (constant.kind == ConstantKind::kNull)
    return receiver.kind() == TypeKind::kCounter ? Assignability::kNot : Assignability::kWeak;
  const TypePtr preferred = PreferredType(constant);
  if (preferred != nullptr && *preferred == receiver) return Assignability::kExact;
  return Takes(constant.kind, receiver.kind()) ? Assignability::kWeak : Assignability::kNot;
}

TypePtr PreferredType(const Constant& constant) {
  switch (constant.kind) {
    case ConstantKind::kString: {
      const bool ascii = std::all_of(constant.text.begin(), constant.text.end(),
                                     [](char c) { return (c & 0x80) == 0; });
      return Type::Native(ascii ? TypeKind::kAscii : TypeKind::kText);
    }
    case ConstantKind::kInteger:
      return PreferredInteger(constant.text);
    case ConstantKind::kFloat:
      return PreferredReal(CanonicalReal(constant.text));
    default:
      return nullptr;
  }
}

Result<std::optional<std::string>> FromConstant(const Constant& constant, const Type& receiver,
                                                std::string_view receiver_name, int64_t now_ms) {
  if (constant.kind == ConstantKind::kNull) {
    if (receiver.kind() == TypeKind::kCounter) {
      return Fail(Code::kInvalidArgument, "Invalid null value for counter increment/decrement");
    }
    return std::nullopt;
  }
  if (!Takes(constant.kind, receiver.kind())) {
    return Fail(Code::kInvalidArgument,
                fmt::format("Invalid {} constant ({}) for \"{}\" of type {}",
                            ConstantKindName(constant.kind), constant.text, receiver_name,
                            receiver.CqlName()));
  }
  std::string text = constant.text;
  if (constant.kind == ConstantKind::kHex) text.erase(0, 2);
  if (constant.kind == ConstantKind::kHex && receiver.kind() == TypeKind::kCustom) {
    // The bytes themselves, whatever texts of the class look like.
    ORRERY_ASSIGN(std::string bytes, FromText(*Type::Native(TypeKind::kBlob), text, now_ms));
    ORRERY_TRY(Validate(receiver, bytes));
    return bytes;
  }
  if (constant.kind == ConstantKind::kFloat) text = CanonicalReal(text);
  ORRERY_ASSIGN(std::string bytes, FromText(receiver, text, now_ms));
  return bytes;
}

Result<std::string> ToCqlLiteral(const Type& type, std::string_view bytes) {
  switch (type.kind()) {
    case TypeKind::kAscii:
    case TypeKind::kText:
    case TypeKind::kDate:
    case TypeKind::kTime:
    case TypeKind::kTimestamp:
    case TypeKind::kInet: {
      ORRERY_ASSIGN(const std::string text, ToText(type, bytes));
      const bool is_string = type.kind() == TypeKind::kAscii || type.kind() == TypeKind::kText;
      return text.empty() && !is_string ? "null" : PrintString(text);
    }
    case TypeKind::kBlob:
    case TypeKind::kCustom:
      return "0x" + ToHex(bytes);
    case TypeKind::kList:
    case TypeKind::kSet: {
      const bool is_list = type.kind() == TypeKind::kList;
      ORRERY_ASSIGN(const Views elements, UnpackElements(type, bytes));
      return SequenceLiteral(type.element(), elements, is_list ? '[' : '{', is_list ? ']' : '}');
    }
    case TypeKind::kVector: {
      ORRERY_ASSIGN(const Views elements, UnpackVector(type, bytes));
      return SequenceLiteral(type.element(), elements, '[', ']');
    }
    case TypeKind::kMap:
      return MapLiteral(type, bytes);
    case TypeKind::kTuple:
    case TypeKind::kUdt:
      return ComponentsLiteral(type, bytes);
    default: {
      ORRERY_ASSIGN(std::string text, ToText(type, bytes));
      return text.empty() ? "null" : text;
    }
  }
}

}  // namespace orrery::cassandra
