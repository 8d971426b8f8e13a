#include "gateway/request_shape.h"

#include <bit>
#include <string>

#include "base/bytes.h"
#include "base/murmur3.h"
#include "model/key/key_codec.h"

namespace orrery::gateway {
namespace {

// Every part is self-delimiting, so that no two questions have the same bytes.
class ShapeBytes {
 public:
  void Add(std::string_view bytes) { AppendLengthPrefixed(bytes_, bytes); }
  void Add(uint64_t number) { AppendVarint(bytes_, number); }
  void Add(const std::optional<std::string>& bytes) {
    Add(uint64_t{bytes.has_value()});
    if (bytes.has_value()) Add(std::string_view(*bytes));
  }
  void Add(const std::optional<item::ValueBound>& bound) {
    Add(uint64_t{bound.has_value()});
    if (!bound.has_value()) return;
    Add(std::string_view(bound->encoded));
    Add(uint64_t{bound->inclusive});
  }
  void Add(const item::IndexRange& range) {
    Add(range.index.value());
    Add(range.lower);
    Add(range.upper);
    Add(uint64_t{range.descending});
    // Nothing without any: tokens from before there were several intervals stay good.
    for (const item::ValueInterval& interval : range.further) {
      Add(interval.lower);
      Add(interval.upper);
    }
  }
  void Add(const item::NearestSearch& search) {
    Add(search.index.value());
    for (const double number : search.target) Add(std::bit_cast<uint64_t>(number));
    Add(static_cast<uint64_t>(search.measure));
    Add(uint64_t{search.descending});
    Add(uint64_t{search.compares_all});
    Add(uint64_t{search.among.size()});
    for (const item::IndexRange& range : search.among) Add(range);
    Add(search.after.has_value() ? std::optional(item::EncodeNearestPosition(*search.after))
                                 : std::nullopt);
    Add(uint64_t{search.after.has_value() && search.after->with_item});
  }
  void Add(const partition::HashRange& range) {
    for (const Hash128 bound : {range.begin(), range.last()}) {
      Add(bound.high);
      Add(bound.low);
    }
  }
  void Add(const model::Expression& expression) {
    Add(static_cast<uint64_t>(expression.op()));
    if (expression.op() == model::Operator::kLiteral) {
      Add(std::string_view(model::EncodeKey({&expression.literal(), 1}, model::Order::kCql)));
    }
    if (expression.op() == model::Operator::kPath || expression.op() == model::Operator::kField)
      Add(std::string_view(expression.path().ToString()));
    Add(uint64_t{expression.operands().size()});
    for (const std::string& name : expression.names()) Add(std::string_view(name));
    for (const model::Expression& operand : expression.operands()) Add(operand);
  }

  void Add(const model::Grouping& grouping) {
    Add(uint64_t{grouping.keys.size()});
    for (const model::Expression& key : grouping.keys) Add(key);
    for (const model::Aggregate& aggregate : grouping.aggregates) {
      Add(static_cast<uint64_t>(aggregate.op));
      Add(aggregate.argument);
    }
  }

  uint64_t Hash() const { return Murmur3(bytes_).high; }

 private:
  std::string bytes_;
};

}  // namespace

uint64_t ShapeOf(const ScanSpec& spec, std::string_view encoded_key) {
  ShapeBytes shape;
  shape.Add(uint64_t{spec.partition_key.has_value()});
  shape.Add(encoded_key);
  shape.Add(spec.row_key_lower);
  shape.Add(spec.row_key_upper);
  shape.Add(uint64_t{spec.descending});
  shape.Add(uint64_t{spec.index.has_value()});
  if (spec.index.has_value()) shape.Add(*spec.index);
  shape.Add(uint64_t{spec.filter != nullptr});
  if (spec.filter != nullptr) shape.Add(*spec.filter);
  // Last, and nothing without one: tokens from before there were ranges stay good.
  if (spec.range.has_value()) shape.Add(*spec.range);
  if (spec.nearest != nullptr) shape.Add(*spec.nearest);
  if (spec.index_only) shape.Add(uint64_t{1});
  if (spec.grouping != nullptr) shape.Add(*spec.grouping);
  if (spec.keys == nullptr) return shape.Hash();
  for (const item::ItemKey& key : *spec.keys) {
    shape.Add(std::string_view(key.partition_key));
    shape.Add(std::string_view(key.row_key));
  }
  return shape.Hash();
}

uint64_t ShapeOf(const FeedSpec& spec, std::string_view encoded_key) {
  ShapeBytes shape;
  shape.Add(static_cast<uint64_t>(spec.mode));
  shape.Add(uint64_t{spec.partition_key.has_value()});
  shape.Add(encoded_key);
  shape.Add(spec.range.value_or(partition::HashRange()));
  return shape.Hash();
}

}  // namespace orrery::gateway
