// A MongoSum adds BSON's numbers as MongoDB's $sum does: the result is of the widest type that was
// added, and whole numbers that pass an int64 become a double. Whole numbers and doubles are added
// exactly and rounded once, so that the sum does not depend on their order; decimals are rounded to
// 34 digits at each step.
//
// Used by one thread at a time.
#pragma once

#include "base/status.h"
#include "model/aggregate/exact_sum.h"
#include "model/number/decimal128.h"
#include "model/value.h"

namespace orrery::model {

class MongoSum {
 public:
  // REQUIRES: a number of BSON's.
  void Add(const Value& number);

  Value Sum() const;  // the int32 0 of nothing
  // The sum of all but decimals.
  double AsDouble() const;
  bool has_decimal() const { return has_decimal_; }

  // The sum for another one to add:
  //   partial := {"whole": int64 | [high: int64, low: int64],  ; low: the lower 64 bits
  //               "long": true,                                ; if an int64 was added
  //               "double": partial of exact_sum.h,            ; if a double was added
  //               "decimal": decimal}                          ; if a decimal was added
  Value Partial() const;
  // kInvalidArgument if it is no partial.
  Status Merge(const Value& partial);

 private:
  Decimal128Bits WholeDecimal() const;

  __extension__ __int128 whole_ = 0;
  ExactSum double_;
  Decimal128Bits decimal_ = Decimal128FromInt(0);
  bool has_decimal_ = false;
  bool has_double_ = false;
  bool has_long_ = false;
};

}  // namespace orrery::model
