#include "item/row/row_index.h"

#include <algorithm>

#include "base/bytes.h"
#include "item/index/index_policy.h"

namespace orrery::item {
namespace {

// One of several components of a partition key: its length, its bytes, a zero.
std::optional<std::string_view> PartitionComponent(const RowKeyParts& key, uint32_t component) {
  if (!key.composite) return component == 0 ? std::optional(key.partition_key) : std::nullopt;
  ByteReader reader(key.partition_key);
  for (uint32_t i = 0;; ++i) {
    uint16_t size = 0;
    uint8_t end = 0;
    std::string_view bytes;
    if (!reader.ReadBigEndian(size) || !reader.ReadBytes(size, bytes) || !reader.ReadBigEndian(end))
      return std::nullopt;
    if (i == component) return bytes;
  }
}

std::optional<std::string_view> ClusteringComponent(
    const RowKeyParts& key, uint32_t component, const std::vector<model::Direction>& directions) {
  ByteReader reader(key.clustering);
  for (uint32_t i = 0; i < directions.size() && !reader.empty(); ++i) {
    const std::string_view before = reader.rest();
    if (!model::ReadKey(reader, directions[i]).has_value()) return std::nullopt;
    if (i == component) return before.substr(0, before.size() - reader.rest().size());
  }
  return std::nullopt;
}

std::optional<Micros> ExpiryOf(const model::Cell& cell) {
  if (cell.ttl_s == 0) return std::nullopt;
  return Micros(std::chrono::seconds(cell.expiry_s));
}

void AddCellTerms(const RowIndex& index, const model::Row& row, std::vector<RowTerm>& terms) {
  const auto cells = std::ranges::equal_range(row.cells, index.column, {}, &model::Cell::column);
  for (const model::Cell& cell : cells) {
    RowTerm& term = terms.emplace_back();
    term.index = NamedIndexId(index.id);
    term.expiry = ExpiryOf(cell);
    switch (index.target) {
      case RowIndexTarget::kPath:
        term.value = RowTermValue(cell.path);
        break;
      case RowIndexTarget::kEntry:
        term.value = RowTermValue(cell.path, cell.value);
        break;
      default:
        term.value = RowTermValue(cell.value);
        break;
    }
  }
}

bool Before(const RowTerm& a, const RowTerm& b) {
  return a.index != b.index ? a.index < b.index : a.value < b.value;
}

}  // namespace

std::string RowTermValue(std::string_view bytes) {
  std::string value;
  AppendLengthPrefixed(value, bytes);
  return value;
}

std::string RowTermValue(std::string_view path, std::string_view bytes) {
  std::string value;
  AppendLengthPrefixed(value, path);
  AppendLengthPrefixed(value, bytes);
  return value;
}

std::vector<RowTerm> TermsOf(const std::vector<RowIndex>& indexes,
                             const std::vector<model::Direction>& directions,
                             const RowKeyParts& key, const model::Row& row) {
  std::vector<RowTerm> terms;
  for (const RowIndex& index : indexes) {
    std::optional<std::string_view> component;
    if (index.target == RowIndexTarget::kClustering) {
      component = ClusteringComponent(key, index.component, directions);
    } else if (index.target == RowIndexTarget::kPartitionKey) {
      component = PartitionComponent(key, index.component);
    } else {
      AddCellTerms(index, row, terms);
    }
    if (component.has_value()) {
      terms.push_back({NamedIndexId(index.id), RowTermValue(*component), std::nullopt});
    }
  }
  std::ranges::sort(terms, Before);
  // Of equal values (a list may repeat one) the one that lasts longest stays.
  const auto lasts = [](const RowTerm& term) { return term.expiry.value_or(Micros::max()); };
  std::vector<RowTerm> unique;
  for (RowTerm& term : terms) {
    if (unique.empty() || Before(unique.back(), term)) {
      unique.push_back(std::move(term));
    } else if (lasts(term) > lasts(unique.back())) {
      unique.back() = std::move(term);
    }
  }
  return unique;
}

}  // namespace orrery::item
