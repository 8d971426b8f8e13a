#include "model/aggregate/partial_groups.h"

#include <charconv>
#include <iterator>
#include <utility>

#include "model/document/document_builder.h"
#include "model/expression/operand.h"

namespace orrery::model {
namespace {

constexpr std::string_view kPartials = "p";
// The bytes that an aggregate takes beside the values that it keeps.
constexpr size_t kAggregateBytes = 64;
constexpr size_t kKeyNameBytesMax = 20;

}  // namespace

void PartialGroups::EncodeKeys(DocumentView document) {
  DocumentBuilder builder(std::move(keys_));
  char name[kKeyNameBytesMax];
  for (size_t i = 0; i < grouping_.keys.size(); ++i) {
    const auto written = std::to_chars(std::begin(name), std::end(name), i);
    const std::string_view number(name, static_cast<size_t>(written.ptr - name));
    const Operand key = EvaluateOperand(grouping_.keys[i], document);
    if (key.element() != nullptr) {
      builder.Append(number, *key.element());
    } else {
      builder.Append(number, key.value());
    }
  }
  keys_ = std::move(builder).Finish().Release();
}

PartialGroups::Group& PartialGroups::GroupOf(DocumentView document, size_t& number) {
  if (grouping_.is_one_group() && !groups_.empty()) {
    number = 0;
    return groups_.front();
  }
  EncodeKeys(document);
  auto found = by_keys_.find(std::string_view(keys_));
  if (found != by_keys_.end()) {
    number = found->second;
    return groups_[number];
  }
  number = groups_.size();
  found = by_keys_.emplace(keys_, number).first;
  Group& group = groups_.emplace_back();
  group.keys = &found->first;
  for (const Aggregate& aggregate : grouping_.aggregates)
    group.accumulators.push_back(StartAggregate(aggregate.op));
  bytes_ += found->first.size() + kAggregateBytes * (1 + grouping_.aggregates.size());
  return group;
}

Result<size_t> PartialGroups::Add(DocumentView document) {
  size_t number = 0;
  Group& group = GroupOf(document, number);
  for (size_t i = 0; i < group.accumulators.size(); ++i) {
    Accumulator& accumulator = *group.accumulators[i];
    const size_t before = accumulator.kept_bytes();
    const Expression& argument = grouping_.aggregates[i].argument;
    if (argument.op() == Operator::kLiteral) {
      ORRERY_TRY(accumulator.Add(argument.literal()));
    } else {
      ORRERY_TRY(accumulator.Add(EvaluateOperand(argument, document).value()));
    }
    bytes_ += accumulator.kept_bytes() - before;
  }
  return number;
}

Document PartialGroups::Encode(size_t group) const {
  const Group& from = groups_[group];
  DocumentBuilder builder;
  for (const ElementView key : DocumentView::Trusted(*from.keys)) builder.Append(key.name(), key);
  Values partials;
  partials.reserve(from.accumulators.size());
  for (const auto& accumulator : from.accumulators) partials.push_back(accumulator->Partial());
  builder.Append(kPartials, Value::Array(std::move(partials)));
  return std::move(builder).Finish();
}

Result<PartialGroup> ReadPartialGroup(const Value& group, size_t keys) {
  PartialGroup read;
  const bool is_object = group.kind() == Kind::kObject && group.AsFields().size() == keys + 1;
  for (size_t i = 0; is_object && i <= keys; ++i) {
    const Field& field = group.AsFields()[i];
    if (i < keys && field.name == std::to_string(i)) read.keys.push_back(field.value);
    if (i == keys && field.name == kPartials) read.partials = field.value;
  }
  if (read.keys.size() != keys || read.partials.kind() != Kind::kArray)
    return Fail(Code::kInternal, "the owner of a partition gave a group that is malformed");
  return read;
}

}  // namespace orrery::model
