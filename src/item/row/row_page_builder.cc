#include "item/row/row_page_builder.h"

#include "base/bytes.h"

namespace orrery::item {
namespace {

constexpr char kAfterKey = 'K';
constexpr char kAfterPartition = 'P';

}  // namespace

std::string EncodeResume(const RowResume& resume) {
  std::string bytes(1, resume.after_partition ? kAfterPartition : kAfterKey);
  AppendVarint(bytes, resume.rows);
  bytes.append(resume.key);
  return bytes;
}

Result<RowResume> DecodeResume(std::string_view bytes, Space space, ContainerId container) {
  ByteReader reader(bytes);
  char mode = 0;
  RowResume resume;
  const bool sound = reader.ReadBigEndian(mode) && (mode == kAfterKey || mode == kAfterPartition) &&
                     reader.ReadVarint(resume.rows);
  const auto key = sound ? DecodeKey(reader.rest()) : std::nullopt;
  if (!key.has_value() || key->space != space || key->container != container) {
    return Fail(Code::kInvalidArgument, "the continuation does not belong to this scan");
  }
  resume.after_partition = mode == kAfterPartition;
  resume.key = reader.rest();
  return resume;
}

std::string ContinuationAt(const RowScanRequest& request, ContainerId container,
                           const RowPlace& place) {
  RowResume resume;
  resume.after_partition = !place.clustering.has_value();
  resume.rows = resume.after_partition ? 0 : place.rows_before;
  const ItemRef item(
      place.hash, place.partition_key,
      place.clustering.has_value() ? std::string_view(*place.clustering) : std::string_view());
  if (request.index.has_value()) {
    WriteIndexKey(resume.key, container, request.index->id, request.index->value, item);
  } else {
    WriteRowKey(resume.key, container, item);
  }
  return EncodeResume(resume);
}

bool RowPageBuilder::full() const {
  return page_.rows >= limits_.items_max || bytes_ >= limits_.bytes_max ||
         page_.examined >= limits_.examined_max;
}

void RowPageBuilder::Look(size_t bytes) {
  ++page_.examined;
  page_.bytes_examined += bytes;
}

void RowPageBuilder::Begin(Hash128 hash, std::string_view partition_key, uint64_t rows_before) {
  ScannedPartition& partition = page_.partitions.emplace_back();
  partition.hash = hash;
  partition.partition_key = partition_key;
  partition.begins = rows_before == 0;
  rows_before_ = rows_before;
  inside_ = true;
}

void RowPageBuilder::Add(std::string_view clustering, std::string_view row,
                         const model::Deletion& covering_deletion) {
  page_.partitions.back().rows.push_back(
      {std::string(clustering), std::string(row), covering_deletion});
  ++page_.rows;
  bytes_ += clustering.size() + row.size();
}

void RowPageBuilder::End() {
  ScannedPartition& partition = page_.partitions.back();
  partition.ends = true;
  inside_ = false;
  // Nothing of it is visible, and nobody was told that it begins.
  if (partition.rows.empty() && partition.static_row.empty()) page_.partitions.pop_back();
}

void RowPageBuilder::Done(std::string_view key, bool whole_partition) {
  resume_.after_partition = whole_partition;
  resume_.key.assign(key);
  resume_.rows = whole_partition || !inside_ ? 0 : rows_of_partition();
}

RowPage RowPageBuilder::Cut() && {
  page_.next = EncodeResume(resume_);
  if (inside_ && page_.partitions.back().rows.empty()) page_.partitions.pop_back();
  return std::move(page_);
}

RowPage RowPageBuilder::Finish() && {
  if (inside_) End();
  return std::move(page_);
}

Result<RowPage> RowPageBuilder::Failed(Error error) && {
  if (error.code() != Code::kWouldBlock || page_.rows == 0) return Fail(std::move(error));
  return std::move(*this).Cut();
}

}  // namespace orrery::item
