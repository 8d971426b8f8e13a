// A Granularity is a series of preferred numbers to which $bucketAuto rounds its boundaries:
// Renard's series, the E series of electronics, 1-2-5, or powers of two, each in every decade.
//
// Immutable and thread-safe.
#pragma once

#include <string_view>
#include <vector>

#include "api/mongo/error/mongo_error.h"
#include "api/mongo/language/query_context.h"
#include "model/value.h"

namespace orrery::mongo {

class Granularity {
 public:
  // 40257 for an unknown name.
  static Answer<Granularity> Parse(std::string_view name);

  // The next number of the series above the value, and the one below it; zero for zero. A decimal
  // gives a decimal. 40258 to 40260 for what is not a number of zero or more.
  Answer<model::Value> RoundUp(const model::Value& value, const QueryContext& context) const;
  Answer<model::Value> RoundDown(const model::Value& value, const QueryContext& context) const;

 private:
  std::vector<double> series_;  // of one decade; empty: powers of two
};

}  // namespace orrery::mongo
