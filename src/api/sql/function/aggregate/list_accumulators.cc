// MAKELIST and MAKESET.
#include <string>
#include <unordered_set>

#include "api/sql/function/aggregate/accumulators.h"
#include "api/sql/function/argument.h"
#include "api/sql/function/identity.h"
#include "api/sql/function/limits.h"
#include "api/sql/function/value_size.h"
#include "model/aggregate/sql_accumulators.h"

namespace orrery::sql {
namespace {

class List : public Accumulator {
 public:
  Status Add(const Value& value) override {
    if (value.is_undefined()) return {};
    bytes_ += ApproximateBytes(value);
    ORRERY_TRY(CheckResultElements(values_.size() + 1, bytes_));
    values_.push_back(value);
    return {};
  }
  Status Merge(const Value& partial) final {
    const model::Values* values = ArrayOf(partial);
    if (values == nullptr) return model::sql::NoPartial();
    for (const Value& value : *values) ORRERY_TRY(Add(value));
    return {};
  }
  Value Partial() const final { return Value::Array(values_); }
  Value Final() const final { return Partial(); }

 private:
  model::Values values_;
  size_t bytes_ = 0;
};

// In the order of their first appearance.
class Set final : public List {
 public:
  Status Add(const Value& value) override {
    if (value.is_undefined() || !seen_.insert(IdentityOf(value)).second) return {};
    return List::Add(value);
  }

 private:
  std::unordered_set<std::string> seen_;
};

}  // namespace

std::unique_ptr<Accumulator> StartList() { return std::make_unique<List>(); }
std::unique_ptr<Accumulator> StartSet() { return std::make_unique<Set>(); }

}  // namespace orrery::sql
