#include "api/cassandra/executor/read/sorted_rows.h"

#include <algorithm>

#include "api/cassandra/planner/term/row_values.h"
#include "api/cassandra/types/compare.h"
#include "api/cassandra/types/native/fixed_size.h"

namespace orrery::cassandra {
namespace {

std::weak_ordering CompareNullable(const Type& type, const std::optional<std::string>& a,
                                   const std::optional<std::string>& b) {
  if (!a.has_value() || !b.has_value()) return a.has_value() <=> b.has_value();
  return Compare(type, *a, *b);
}

}  // namespace

CqlStatus SortedRows::Add(const Evaluation& evaluation, std::string cells) {
  Entry entry;
  if (plan_.nearest.has_value()) {
    CQL_ASSIGN(const std::optional<float> similarity, SimilarityOf(evaluation));
    if (!similarity.has_value()) return {};
    entry.similarity = *similarity;
  }
  for (const size_t place : plan_.sort) {
    const auto& value = evaluation.row->values[place];
    entry.keys.push_back(value.has_value() ? std::optional<std::string>(*value) : std::nullopt);
    bytes_ += value.has_value() ? value->size() : 0;
  }
  bytes_ += cells.size() + sizeof(Entry);
  entry.cells = std::move(cells);
  entries_.push_back(std::move(entry));
  if (limit_.has_value() && entries_.size() >= size_t{2} * *limit_ + 1'000) Trim();
  if (bytes_ > kSortedBytesMax)
    return Invalid("The result is too large to be sorted; use a LIMIT or ask for fewer partitions");
  return {};
}

CqlResult<std::optional<float>> SortedRows::SimilarityOf(const Evaluation& evaluation) {
  const NearestOrder& nearest = *plan_.nearest;
  if (!target_.has_value()) {
    CQL_ASSIGN(target_, nearest.target->Evaluate(evaluation));
    if (!target_->has_value()) return Invalid("Invalid null value of the vector to be near to");
  }
  const std::optional<std::string_view> arguments[] = {evaluation.row->values[nearest.place],
                                                       target_->view()};
  if (!arguments[0].has_value()) return std::nullopt;
  CQL_ASSIGN(const auto similarity, nearest.similarity->Call(*evaluation.functions, arguments));
  if (!similarity.has_value()) return std::nullopt;
  return DecodeFloat(*similarity);
}

bool SortedRows::Before(const Entry& a, const Entry& b) const {
  if (plan_.nearest.has_value()) return a.similarity > b.similarity;
  for (size_t i = 0; i < plan_.sort.size(); ++i) {
    const Column& column = plan_.table->columns[plan_.sort[i]];
    const auto order = CompareNullable(*column.type, a.keys[i], b.keys[i]);
    if (order != 0) return column.descending != plan_.reversed ? order > 0 : order < 0;
  }
  return false;
}

void SortedRows::Trim() {
  const auto before = [this](const Entry& a, const Entry& b) { return Before(a, b); };
  std::ranges::nth_element(entries_, entries_.begin() + *limit_, before);
  entries_.resize(*limit_);
  bytes_ = 0;
  for (const Entry& entry : entries_) {
    bytes_ += entry.cells.size() + sizeof(Entry);
    for (const auto& key : entry.keys) bytes_ += key.has_value() ? key->size() : 0;
  }
}

int32_t SortedRows::Finish(std::string& cells) {
  std::ranges::sort(entries_, [this](const Entry& a, const Entry& b) { return Before(a, b); });
  if (limit_.has_value() && entries_.size() > *limit_) entries_.resize(*limit_);
  for (const Entry& entry : entries_) cells += entry.cells;
  return static_cast<int32_t>(entries_.size());
}

}  // namespace orrery::cassandra
