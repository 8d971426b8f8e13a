#include "query/operator/external_sort.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/bytes.h"

namespace orrery::query {
namespace {

// A record of a run: the size of the key, the key, the value.
std::string JoinedRecord(std::string_view key, std::string_view value) {
  std::string joined;
  AppendBigEndian(joined, static_cast<uint32_t>(key.size()));
  joined.append(key).append(value);
  return joined;
}

}  // namespace

Status ExternalSort::Add(std::string_view key, std::string_view value) {
  Record record{.key = std::string(key), .value = std::string(value)};
  AppendBigEndian(record.key, added_++);
  bytes_ += record.key.size() + record.value.size() + sizeof(Record);
  records_.push_back(std::move(record));
  return bytes_ <= memory_bytes_max_ ? Status() : Spill();
}

Status ExternalSort::Spill() {
  std::ranges::sort(records_, {}, &Record::key);
  ORRERY_ASSIGN(auto file, space_.Create());
  for (const Record& record : records_)
    ORRERY_TRY(file->Append(JoinedRecord(record.key, record.value)));
  ORRERY_TRY(file->Rewind());
  runs_.push_back({.file = std::move(file), .head = {}});
  records_.clear();
  bytes_ = 0;
  return runs_.size() < kRunsMax ? Status() : MergeRuns();
}

Status ExternalSort::MergeRuns() {
  ORRERY_TRY(Begin());
  ORRERY_ASSIGN(auto merged, space_.Create());
  Record record;
  while (true) {
    ORRERY_ASSIGN(const bool has_one, Pop(record));
    if (!has_one) break;
    ORRERY_TRY(merged->Append(JoinedRecord(record.key, record.value)));
  }
  ORRERY_TRY(merged->Rewind());
  runs_.clear();
  runs_.push_back({.file = std::move(merged), .head = {}});
  return {};
}

Result<bool> ExternalSort::Advance(Run& run) {
  std::string joined;
  ORRERY_ASSIGN(const bool has_one, run.file->Next(joined));
  if (!has_one) return false;
  if (joined.size() < sizeof(uint32_t))
    return Fail(Code::kCorruption, "a temporary file of a query is malformed");
  uint32_t size = 0;
  for (size_t i = 0; i < sizeof(size); ++i)
    size = (size << 8) | static_cast<unsigned char>(joined[i]);
  if (joined.size() < sizeof(size) + size)
    return Fail(Code::kCorruption, "a temporary file of a query is malformed");
  run.head.key.assign(joined, sizeof(size), size);
  run.head.value.assign(joined, sizeof(size) + size);
  return true;
}

Status ExternalSort::Begin() {
  heap_.clear();
  const auto after = [this](size_t a, size_t b) { return runs_[a].head.key > runs_[b].head.key; };
  for (size_t i = 0; i < runs_.size(); ++i) {
    ORRERY_ASSIGN(const bool has_one, Advance(runs_[i]));
    if (has_one) heap_.push_back(i);
  }
  std::ranges::make_heap(heap_, after);
  return {};
}

Result<bool> ExternalSort::Pop(Record& record) {
  if (heap_.empty()) return false;
  const auto after = [this](size_t a, size_t b) { return runs_[a].head.key > runs_[b].head.key; };
  std::ranges::pop_heap(heap_, after);
  const size_t run = heap_.back();
  record = std::move(runs_[run].head);
  heap_.pop_back();
  ORRERY_ASSIGN(const bool has_more, Advance(runs_[run]));
  if (has_more) {
    heap_.push_back(run);
    std::ranges::push_heap(heap_, after);
  }
  return true;
}

Status ExternalSort::Finish() {
  if (!runs_.empty()) {
    if (!records_.empty()) ORRERY_TRY(Spill());
    return Begin();
  }
  std::ranges::sort(records_, {}, &Record::key);
  return {};
}

Result<bool> ExternalSort::Next(std::string& value) {
  if (runs_.empty()) {
    if (next_ == records_.size()) return false;
    value = std::move(records_[next_++].value);
    return true;
  }
  Record record;
  ORRERY_ASSIGN(const bool has_one, Pop(record));
  if (has_one) value = std::move(record.value);
  return has_one;
}

}  // namespace orrery::query
