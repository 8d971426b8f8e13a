// ST_...: functions of GeoJSON objects. What is no valid one makes all but the two that ask for
// validity undefined.
#include "api/sql/function/limits.h"
#include "api/sql/function/native/bodies.h"
#include "api/sql/function/native/native_functions.h"
#include "model/spatial/relation.h"

namespace orrery::sql {
namespace {

using model::Geometry;
using model::ReadGeometry;

// Undefined for an invalid argument; an error for one past its bound.
Result<Value> Unusable(const Error& error) {
  if (error.code() == Code::kTooLarge) return Fail(error);
  return Value::Undefined();
}

// Value F(const Geometry&, const Geometry&)
template <auto F>
Result<Value> OfTwoGeometries(Arguments arguments, const CallContext&) {
  const auto a = ReadGeometry(arguments[0]);
  if (!a.has_value()) return Unusable(a.error());
  const auto b = ReadGeometry(arguments[1]);
  if (!b.has_value()) return Unusable(b.error());
  if (CountPoints(*a) * CountPoints(*b) > kGeometryPairsMax)
    return Fail(Code::kTooLarge, "two GeoJSON objects have too many positions to be compared");
  return F(*a, *b);
}

Value Distance(const Geometry& a, const Geometry& b) {
  return model::NumberFromDouble(model::DistanceBetween(a, b));
}
Value Meet(const Geometry& a, const Geometry& b) { return Value::Bool(model::Intersects(a, b)); }
Value Within(const Geometry& a, const Geometry& b) { return Value::Bool(model::IsWithin(a, b)); }

Result<Value> Area(Arguments arguments, const CallContext&) {
  const auto geometry = ReadGeometry(arguments[0]);
  if (!geometry.has_value()) return Unusable(geometry.error());
  return model::NumberFromDouble(model::AreaOf(*geometry));
}

// Why the value is no valid geometry; nothing when it is one.
std::optional<std::string> FindFault(const Value& value) {
  const auto geometry = ReadGeometry(value);
  return geometry.has_value() ? model::FindCrossing(*geometry) : geometry.error().message();
}

Result<Value> IsValid(Arguments arguments, const CallContext&) {
  if (arguments[0].is_undefined()) return Value::Undefined();
  return Value::Bool(!FindFault(arguments[0]).has_value());
}

Result<Value> IsValidDetailed(Arguments arguments, const CallContext&) {
  if (arguments[0].is_undefined()) return Value::Undefined();
  const auto fault = FindFault(arguments[0]);
  if (!fault) return Value::Object({{"valid", Value::Bool(true)}});
  return Value::Object({{"valid", Value::Bool(false)}, {"reason", Value::String(*fault)}});
}

constexpr Function kSpatialFunctions[] = {
    {"ST_AREA", 1, 1, Area},
    {"ST_DISTANCE", 2, 2, OfTwoGeometries<Distance>},
    {"ST_INTERSECTS", 2, 2, OfTwoGeometries<Meet>},
    {"ST_ISVALID", 1, 1, IsValid},
    {"ST_ISVALIDDETAILED", 1, 1, IsValidDetailed},
    {"ST_WITHIN", 2, 2, OfTwoGeometries<Within>},
};

}  // namespace

std::span<const Function> SpatialFunctions() { return kSpatialFunctions; }

}  // namespace orrery::sql
