// The writing half of json.h.
#include <algorithm>
#include <cmath>

#include "api/cassandra/types/collection_codec.h"
#include "api/cassandra/types/json/json.h"
#include "api/cassandra/types/native/date_time.h"
#include "api/cassandra/types/native/fixed_size.h"
#include "api/cassandra/types/validate.h"
#include "api/cassandra/types/value_text.h"
#include "base/bytes.h"

namespace orrery::cassandra {
namespace {

Status AppendJson(std::string& out, const Type& type, std::string_view bytes);

Status AppendArray(std::string& out, const Type& element, const Views& values) {
  out += '[';
  for (size_t i = 0; i < values.size(); ++i) {
    if (i > 0) out += ", ";
    ORRERY_TRY(AppendJson(out, element, values[i]));
  }
  out += ']';
  return {};
}

Status AppendMap(std::string& out, const Type& type, std::string_view bytes) {
  ORRERY_ASSIGN(const std::vector<EntryView> entries, UnpackEntries(bytes));
  out += '{';
  for (size_t i = 0; i < entries.size(); ++i) {
    if (i > 0) out += ", ";
    std::string key;
    ORRERY_TRY(AppendJson(key, type.key(), entries[i].key));
    if (key.starts_with('"')) {
      out += key;
    } else {
      AppendJsonString(out, key);
    }
    out += ": ";
    ORRERY_TRY(AppendJson(out, type.value(), entries[i].value));
  }
  out += '}';
  return {};
}

Status AppendComponents(std::string& out, const Type& type, std::string_view bytes) {
  const bool is_udt = type.kind() == TypeKind::kUdt;
  ORRERY_ASSIGN(const std::vector<NullableView> components, UnpackComponents(type, bytes));
  out += is_udt ? '{' : '[';
  for (size_t i = 0; i < components.size(); ++i) {
    if (i > 0) out += ", ";
    if (is_udt) out += JsonName(type.udt().field_names[i]) + ": ";
    if (components[i].has_value()) {
      ORRERY_TRY(AppendJson(out, *type.parameters()[i], *components[i]));
    } else {
      out += "null";
    }
  }
  out += is_udt ? '}' : ']';
  return {};
}

bool IsBare(TypeKind kind) {
  switch (kind) {
    case TypeKind::kBigint:
    case TypeKind::kBoolean:
    case TypeKind::kCounter:
    case TypeKind::kDecimal:
    case TypeKind::kDouble:
    case TypeKind::kFloat:
    case TypeKind::kInt:
    case TypeKind::kSmallint:
    case TypeKind::kTinyint:
    case TypeKind::kVarint:
      return true;
    default:
      return false;
  }
}

bool IsNotFinite(const Type& type, std::string_view bytes) {
  if (bytes.empty()) return false;
  if (type.kind() == TypeKind::kFloat) return !std::isfinite(DecodeFloat(bytes));
  return type.kind() == TypeKind::kDouble && !std::isfinite(DecodeDouble(bytes));
}

Status AppendNative(std::string& out, const Type& type, std::string_view bytes) {
  ORRERY_ASSIGN(const std::string text, ToText(type, bytes));
  if (!IsBare(type.kind()) || text.empty()) {
    AppendJsonString(out, text);
  } else if (IsNotFinite(type, bytes)) {
    out += "null";
  } else {
    out += text;
  }
  return {};
}

Status AppendJson(std::string& out, const Type& type, std::string_view bytes) {
  switch (type.kind()) {
    case TypeKind::kList:
    case TypeKind::kSet: {
      ORRERY_ASSIGN(const Views elements, UnpackElements(type, bytes));
      return AppendArray(out, type.element(), elements);
    }
    case TypeKind::kVector: {
      ORRERY_ASSIGN(const Views elements, UnpackVector(type, bytes));
      return AppendArray(out, type.element(), elements);
    }
    case TypeKind::kMap:
      return AppendMap(out, type, bytes);
    case TypeKind::kTuple:
    case TypeKind::kUdt:
      return AppendComponents(out, type, bytes);
    case TypeKind::kBlob:
    case TypeKind::kCustom:
      out += "\"0x" + ToHex(bytes) + '"';
      return {};
    case TypeKind::kTimestamp:
      if (bytes.empty()) break;
      ORRERY_TRY(Validate(type, bytes));
      AppendJsonString(out, TimestampText(DecodeInteger<int64_t>(bytes), ' '));
      return {};
    default:
      break;
  }
  return AppendNative(out, type, bytes);
}

}  // namespace

Result<std::string> ToJson(const Type& type, std::string_view bytes) {
  std::string out;
  ORRERY_TRY(AppendJson(out, type, bytes));
  return out;
}

std::string JsonName(std::string_view name) {
  std::string quoted(name);
  if (std::any_of(name.begin(), name.end(), [](char c) { return c >= 'A' && c <= 'Z'; }))
    quoted = '"' + quoted + '"';
  std::string out;
  AppendJsonString(out, quoted);
  return out;
}

}  // namespace orrery::cassandra
