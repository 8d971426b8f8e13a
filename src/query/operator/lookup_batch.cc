#include "query/operator/lookup_batch.h"

#include <utility>

namespace orrery::query {

LookupBatch::LookupBatch(Compare compare) : rows_of_(Less{std::move(compare)}) {}

void LookupBatch::AddRow(std::span<const model::Value> values) {
  const auto row = static_cast<uint32_t>(documents_of_.size());
  documents_of_.emplace_back();
  for (const model::Value& value : values) {
    std::vector<uint32_t>& rows = rows_of_[value];
    if (rows.empty() || rows.back() != row) rows.push_back(row);
  }
}

model::Values LookupBatch::values() const {
  model::Values values;
  values.reserve(rows_of_.size());
  for (const auto& [value, rows] : rows_of_) values.push_back(value);
  return values;
}

bool LookupBatch::AddDocument(std::span<const model::Value> values) {
  bool is_joined = false;
  for (const model::Value& value : values) {
    const auto found = rows_of_.find(value);
    if (found == rows_of_.end()) continue;
    for (const uint32_t row : found->second) {
      std::vector<uint32_t>& documents = documents_of_[row];
      if (documents.empty() || documents.back() != documents_) documents.push_back(documents_);
    }
    is_joined = true;
  }
  if (is_joined) ++documents_;
  return is_joined;
}

}  // namespace orrery::query
