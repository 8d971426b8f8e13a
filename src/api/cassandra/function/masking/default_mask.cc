#include "api/cassandra/function/masking/default_mask.h"

#include <fmt/format.h>

#include <vector>

#include "api/cassandra/types/collection_codec.h"
#include "api/cassandra/types/native/date_time.h"
#include "api/cassandra/types/native/decimal.h"
#include "api/cassandra/types/native/duration.h"
#include "api/cassandra/types/native/fixed_size.h"
#include "api/cassandra/types/native/timeuuid.h"

namespace orrery::cassandra {
namespace {

Result<std::string> ComponentsMask(const Type& type) {
  std::vector<std::optional<std::string>> components;
  for (const TypePtr& part : type.parameters()) {
    ORRERY_ASSIGN(components.emplace_back(), DefaultMask(*part));
  }
  return PackComponents(AsViews(components));
}

Result<std::string> VectorMask(const Type& type) {
  ORRERY_ASSIGN(const std::string element, DefaultMask(type.element()));
  if (element.size() > kMaskBytesMax / type.dimension())
    return Fail(Code::kInvalidArgument,
                fmt::format("the masked value of type {} is too large", type.CqlName()));
  return PackVector(type, Views(type.dimension(), element));
}

}  // namespace

Result<std::string> DefaultMask(const Type& type) {
  switch (type.kind()) {
    case TypeKind::kAscii:
    case TypeKind::kText:
      return "****";
    case TypeKind::kBlob:
    case TypeKind::kEmpty:
      return "";
    case TypeKind::kBoolean:
      return EncodeBoolean(false);
    case TypeKind::kTinyint:
      return EncodeInteger(int8_t{0});
    case TypeKind::kSmallint:
      return EncodeInteger(int16_t{0});
    case TypeKind::kInt:
      return EncodeInteger(int32_t{0});
    case TypeKind::kBigint:
    case TypeKind::kCounter:
    case TypeKind::kTime:
    case TypeKind::kTimestamp:
      return EncodeInteger(int64_t{0});
    case TypeKind::kFloat:
      return EncodeFloat(0);
    case TypeKind::kDouble:
      return EncodeDouble(0);
    case TypeKind::kDate:
      return EncodeInteger(static_cast<uint32_t>(kDateEpoch));
    case TypeKind::kVarint:
      return EncodeVarint(0);
    case TypeKind::kDecimal:
      return EncodeDecimal(0, EncodeVarint(0));
    case TypeKind::kDuration:
      return EncodeDuration({});
    case TypeKind::kInet:
      return std::string(4, '\0');
    case TypeKind::kUuid:
      return std::string(16, '\0');
    case TypeKind::kTimeuuid:
      return MinTimeUuid(0);
    case TypeKind::kList:
    case TypeKind::kSet:
    case TypeKind::kMap:
      return PackElements({});
    case TypeKind::kTuple:
    case TypeKind::kUdt:
      return ComponentsMask(type);
    case TypeKind::kVector:
      return VectorMask(type);
    case TypeKind::kCustom:
      break;
  }
  return Fail(Code::kInvalidArgument,
              fmt::format("There isn't a defined masked value for type {}", type.CqlName()));
}

}  // namespace orrery::cassandra
