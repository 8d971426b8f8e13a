// A row of a query as the JSON that clients get. It differs from model::ToJson in the numbers that
// JSON cannot write: NaN, Infinity and -Infinity are strings, as Cosmos DB has them.
#pragma once

#include <string>

#include "model/value.h"

namespace orrery::sql {

std::string RowJson(const model::Value& row);

}  // namespace orrery::sql
