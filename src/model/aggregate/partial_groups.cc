#include "model/aggregate/partial_groups.h"

#include <utility>

#include "model/document/document_builder.h"

namespace orrery::model {
namespace {

constexpr std::string_view kPartials = "p";
// What an aggregate takes beside the values that it keeps.
constexpr size_t kAggregateBytes = 64;

std::string EncodeKeys(const Grouping& grouping, DocumentView document) {
  DocumentBuilder builder;
  for (size_t i = 0; i < grouping.keys.size(); ++i)
    builder.Append(std::to_string(i), Evaluate(grouping.keys[i], document));
  return std::move(builder).Finish().Release();
}

}  // namespace

PartialGroups::Group& PartialGroups::GroupOf(DocumentView document, size_t& number) {
  if (grouping_.is_one_group() && !groups_.empty()) {
    number = 0;
    return groups_.front();
  }
  const auto [found, is_new] =
      by_keys_.try_emplace(EncodeKeys(grouping_, document), groups_.size());
  number = found->second;
  if (!is_new) return groups_[number];
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
      ORRERY_TRY(accumulator.Add(Evaluate(argument, document)));
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
