#include "api/cassandra/types/validate.h"

#include <fmt/format.h>

#include <algorithm>

#include "api/cassandra/types/collection_codec.h"
#include "api/cassandra/types/composite.h"
#include "api/cassandra/types/invalid_value.h"
#include "api/cassandra/types/marshal_name.h"
#include "api/cassandra/types/native/date_time.h"
#include "api/cassandra/types/native/duration.h"
#include "base/bytes.h"
#include "base/utf8.h"

namespace orrery::cassandra {
namespace {

Status CheckSize(std::string_view bytes, size_t size, std::string_view what) {
  if (bytes.empty() || bytes.size() == size) return {};
  return InvalidValue(fmt::format("Expected {} or 0 byte {} ({})", size, what, bytes.size()));
}

Status CheckAscii(std::string_view bytes) {
  for (const char c : bytes) {
    const auto byte = static_cast<int>(static_cast<signed char>(c));
    if (byte < 0) return InvalidValue(fmt::format("Invalid byte for ascii: {}", byte));
  }
  return {};
}

Status CheckTimeUuid(std::string_view bytes) {
  if (bytes.empty()) return {};
  if (bytes.size() != 16)
    return InvalidValue(fmt::format("UUID should be 16 or 0 bytes ({})", bytes.size()));
  const int version = static_cast<uint8_t>(bytes[6]) >> 4;
  if (version != 1)
    return InvalidValue(fmt::format("Invalid version for TimeUUID type: 0x{:x}", version));
  return {};
}

Status CheckTime(std::string_view bytes) {
  if (bytes.size() != 8)
    return InvalidValue(fmt::format("Expected 8 byte long for time ({})", bytes.size()));
  const auto nanoseconds = LoadBigEndian<int64_t>(bytes.data());
  if (nanoseconds < 0 || nanoseconds >= kNanosPerDay)
    return InvalidValue(fmt::format("Input long out of bounds for time: {}", nanoseconds));
  return {};
}

Status CheckElements(const Type& element, const Views& values) {
  for (const std::string_view value : values) ORRERY_TRY(Validate(element, value));
  return {};
}

Status CheckMap(const Type& type, std::string_view bytes) {
  ORRERY_ASSIGN(const std::vector<EntryView> entries, UnpackEntries(bytes));
  for (const EntryView& entry : entries) {
    ORRERY_TRY(Validate(type.key(), entry.key));
    ORRERY_TRY(Validate(type.value(), entry.value));
  }
  return {};
}

Status CheckComponents(const Type& type, std::string_view bytes) {
  ORRERY_ASSIGN(const std::vector<NullableView> components, UnpackComponents(type, bytes));
  for (size_t i = 0; i < components.size(); ++i) {
    if (!components[i].has_value()) continue;
    Status status = Validate(*type.parameters()[i], *components[i]);
    if (status.has_value()) continue;
    if (type.kind() != TypeKind::kUdt) return status;
    return InvalidValue(fmt::format("Failure validating the {}th field {}; {}", i,
                                    type.udt().field_names[i], status.error().message()));
  }
  return {};
}

}  // namespace

bool AllowsEmpty(const Type& type) {
  switch (type.kind()) {
    case TypeKind::kTinyint:
    case TypeKind::kSmallint:
    case TypeKind::kDate:
    case TypeKind::kTime:
    case TypeKind::kDuration:
    case TypeKind::kList:
    case TypeKind::kVector:
      return false;
    default:
      return true;
  }
}

bool HasOrdinaryEmpty(const Type& type) {
  switch (type.kind()) {
    case TypeKind::kAscii:
    case TypeKind::kBlob:
    case TypeKind::kCustom:
    case TypeKind::kText:
      return true;
    default:
      return false;
  }
}

Status Validate(const Type& type, std::string_view bytes) {
  switch (type.kind()) {
    case TypeKind::kBlob:
    case TypeKind::kVarint:
      return {};
    case TypeKind::kCustom:
      if (type.is_composite() || type.is_dynamic_composite()) {
        ORRERY_TRY(UnpackComposite(type, bytes));
        return {};
      }
      if (type.class_name() == kLexicalUuidClass && !bytes.empty() && bytes.size() != 16)
        return InvalidValue(fmt::format("LexicalUUID should be 16 or 0 bytes ({})", bytes.size()));
      return {};
    case TypeKind::kAscii:
      return CheckAscii(bytes);
    case TypeKind::kText:
      if (!IsUtf8(bytes)) return InvalidValue("String didn't validate.");
      return {};
    case TypeKind::kInt:
      return CheckSize(bytes, 4, "int");
    case TypeKind::kBigint:
    case TypeKind::kCounter:
      return CheckSize(bytes, 8, "long");
    case TypeKind::kTimestamp:
      return CheckSize(bytes, 8, "long for date");
    case TypeKind::kFloat:
      return CheckSize(bytes, 4, "value for a float");
    case TypeKind::kDouble:
      return CheckSize(bytes, 8, "value for a double");
    case TypeKind::kBoolean:
      if (bytes.size() > 1)
        return InvalidValue(fmt::format("Expected 1 or 0 byte value ({})", bytes.size()));
      return {};
    case TypeKind::kTinyint:
      if (bytes.size() != 1)
        return InvalidValue(fmt::format("Expected 1 byte for a tinyint ({})", bytes.size()));
      return {};
    case TypeKind::kSmallint:
      if (bytes.size() != 2)
        return InvalidValue(fmt::format("Expected 2 bytes for a smallint ({})", bytes.size()));
      return {};
    case TypeKind::kDate:
      if (bytes.size() != 4)
        return InvalidValue(fmt::format("Expected 4 byte long for date ({})", bytes.size()));
      return {};
    case TypeKind::kTime:
      return CheckTime(bytes);
    case TypeKind::kDecimal:
      if (!bytes.empty() && bytes.size() < 4)
        return InvalidValue(fmt::format("Expected 0 or at least 4 bytes ({})", bytes.size()));
      return {};
    case TypeKind::kDuration:
      ORRERY_TRY(DecodeDuration(bytes));
      return {};
    case TypeKind::kEmpty:
      if (!bytes.empty()) return InvalidValue("EmptyType only accept empty values");
      return {};
    case TypeKind::kInet:
      if (!bytes.empty() && bytes.size() != 4 && bytes.size() != 16)
        return InvalidValue(fmt::format("Expected 4 or 16 byte inetaddress; got {}", ToHex(bytes)));
      return {};
    case TypeKind::kUuid:
      if (!bytes.empty() && bytes.size() != 16)
        return InvalidValue(fmt::format("UUID should be 16 or 0 bytes ({})", bytes.size()));
      return {};
    case TypeKind::kTimeuuid:
      return CheckTimeUuid(bytes);
    case TypeKind::kList:
    case TypeKind::kSet: {
      ORRERY_ASSIGN(const Views elements, UnpackElements(type, bytes));
      return CheckElements(type.element(), elements);
    }
    case TypeKind::kVector: {
      ORRERY_ASSIGN(const Views elements, UnpackVector(type, bytes));
      return CheckElements(type.element(), elements);
    }
    case TypeKind::kMap:
      return CheckMap(type, bytes);
    case TypeKind::kTuple:
    case TypeKind::kUdt:
      return CheckComponents(type, bytes);
  }
  return Fail(Code::kInternal, "unknown type");
}

}  // namespace orrery::cassandra
