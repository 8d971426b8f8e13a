#include "limit/bare_table_answers.h"

#include <fmt/format.h>
#include <rocksdb/slice.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <iterator>

#include "table/entity_maker.h"

namespace orrery::bench {
namespace {

constexpr std::string_view kTableHeadEnd = "\r\n\r\n";
constexpr std::string_view kLengthHeader = "Content-Length: ";
constexpr std::string_view kEntityBegin = R"({"PartitionKey":)";
constexpr std::string_view kNumberField = R"("number":)";
constexpr std::string_view kTextField = R"("value":")";
constexpr std::string_view kShelfFilter = "shelf%20eq%20";
// Bytes that the server stores for one entity of `orrery-bench table` with 400 B of text, taken
// from a partition's engine.
constexpr size_t kRecordKeyBytes = 59;
constexpr size_t kRecordExtraBytes = 90;
constexpr size_t kFeedKeyBytes = 33;
constexpr size_t kFeedValueBytes = 50;
constexpr size_t kIndexedTextBytes = 257;
constexpr size_t kMergedBytesMax = 700;
constexpr std::array<size_t, 4> kIndexKeyBytes = {87, 86, 77, 77};
constexpr char kShelfIndex = 3;
constexpr char kTextIndex = 4;
constexpr char kMergedIndex = 5;
constexpr std::string_view kRowKeyInPath = "RowKey='row-";
constexpr uint64_t kSpread = 0x9E3779B97F4A7C15;  // an odd number: neighbours come far apart

void AppendBigEndian(uint64_t number, std::string& out) {
  for (int shift = 56; shift >= 0; shift -= 8) out.push_back(static_cast<char>(number >> shift));
}

void WriteBareRecordKey(uint64_t number, std::string& out) {
  const uint64_t partition = number / EntityMaker::kOfOnePartition;
  out.assign(1, 'D');
  AppendBigEndian(partition * kSpread, out);
  AppendBigEndian(partition, out);
  out += EntityMaker::PartitionKeyOf(number);
  out += EntityMaker::RowKeyOf(number);
  out.resize(kRecordKeyBytes, '\0');
}

void WriteShelfPrefix(uint64_t shelf, std::string& out) {
  out = {'I', kShelfIndex};
  AppendBigEndian(shelf, out);
}

std::optional<uint64_t> NumberAfter(std::string_view text, std::string_view field) {
  const size_t at = text.find(field);
  if (at == std::string_view::npos) return std::nullopt;
  uint64_t number = 0;
  const char* const begin = text.data() + at + field.size();
  const auto read = std::from_chars(begin, text.data() + text.size(), number);
  if (read.ec != std::errc()) return std::nullopt;
  return number;
}

void StageFeedEntry(BareStore& store) {
  static thread_local std::string key;  // its memory is used again
  static thread_local uint64_t sequence = 0;
  static const std::string value(kFeedValueBytes, '\0');
  key.assign(1, 'F');
  AppendBigEndian(++sequence, key);
  key.resize(kFeedKeyBytes, '\0');
  store.Stage(key, value);
}

// Stages all keys of the entity.
bool StageEntity(std::string_view text, BareStore& store) {
  static thread_local std::string record, key, value;  // their memory is used again
  const auto number = NumberAfter(text, kNumberField);
  const size_t field = text.find(kTextField);
  if (!number.has_value() || field == std::string_view::npos) return false;
  WriteBareRecordKey(*number, record);
  value.assign(text).append(kRecordExtraBytes, ' ');
  store.Stage(record, value);

  StageFeedEntry(store);

  value.assign(1, '\0');
  const std::array<std::string, 4> values = {
      EntityMaker::PartitionKeyOf(*number), EntityMaker::RowKeyOf(*number), std::string(), {}};
  for (char index = 0; index <= kShelfIndex; ++index) {
    const auto at = static_cast<size_t>(index);
    key = {'I', index};
    if (index == kShelfIndex) {
      AppendBigEndian(EntityMaker::ShelfOf(*number), key);
    } else if (values[at].empty()) {
      AppendBigEndian(*number, key);
    } else {
      key += values[at];
    }
    key += record;
    key.resize(std::max(key.size(), kIndexKeyBytes[at]), '\0');
    store.Stage(key, value);
  }
  key = {'I', kTextIndex};
  key += text.substr(field + kTextField.size(), kIndexedTextBytes);
  key += record;
  store.Stage(key, value);
  return true;
}

// Stages the keys that merging one more property into the entity changes.
bool StageMerge(uint64_t number, std::string_view properties, BareStore& store) {
  static thread_local std::string record, key, text;  // their memory is used again
  static thread_local rocksdb::PinnableSlice value;   // likewise
  WriteBareRecordKey(number, record);
  const bool found = store.Get(record, value);
  text.assign(found ? value.ToStringView() : std::string_view()).append(properties);
  value.Reset();  // lets go of the store, which ends before the thread
  if (!found) return false;
  text.resize(std::min(text.size(), kMergedBytesMax));
  store.Stage(record, text);
  StageFeedEntry(store);
  key = {'I', kMergedIndex, '\1'};
  key += record;
  store.Stage(key, std::string_view("\0", 1));
  return true;
}

// The texts of the entities in a request's body, one after the other.
class EntityTexts {
 public:
  explicit EntityTexts(std::string_view body) : rest_(body) {}

  std::optional<std::string_view> Next() {
    const size_t begin = rest_.find(kEntityBegin);
    if (begin == std::string_view::npos) return std::nullopt;
    size_t end = rest_.find('\r', begin);
    if (end == std::string_view::npos) end = rest_.size();
    const std::string_view text = rest_.substr(begin, end - begin);
    rest_.remove_prefix(end);
    return text;
  }

 private:
  std::string_view rest_;
};

void AppendAnswer(std::string_view status, std::string_view body, std::string& out) {
  fmt::format_to(std::back_inserter(out), "HTTP/1.1 {}\r\nContent-Length: {}\r\n\r\n{}", status,
                 body.size(), body);
}

bool TakeWrites(std::string_view target, std::string_view body, BareStore& store,
                std::string& out) {
  if (target.ends_with("/Tables")) {
    AppendAnswer("201 Created", "{}", out);
    return true;
  }
  if (const auto merged = NumberAfter(target, kRowKeyInPath)) {
    if (!StageMerge(*merged, body, store)) return false;
    out += "HTTP/1.1 204 No Content\r\n\r\n";
    return true;
  }
  static thread_local std::string answer;  // its memory is used again
  answer.clear();
  EntityTexts texts(body);
  while (const auto text = texts.Next()) {
    if (!StageEntity(*text, store)) return false;
    answer +=
        "--changeset\r\nContent-Type: application/http\r\nContent-Transfer-Encoding: binary\r\n\r\n"
        "HTTP/1.1 204 No Content\r\nPreference-Applied: return-no-content\r\n"
        "DataServiceVersion: 3.0;\r\nETag: W/\"datetime'2026-01-01T00%3A00%3A00.0000000Z'\"\r\n"
        "\r\n\r\n";
  }
  if (target.ends_with("/$batch")) {
    AppendAnswer("202 Accepted", answer, out);
  } else {
    out += "HTTP/1.1 204 No Content\r\n\r\n";
  }
  return true;
}

bool TakeReads(std::string_view target, const BareStore& store, std::string& out) {
  static thread_local std::string key, body;         // their memory is used again
  static thread_local rocksdb::PinnableSlice value;  // likewise
  bool found = false;
  body = R"({"value":[)";
  if (const auto shelf = NumberAfter(target, kShelfFilter)) {
    WriteShelfPrefix(*shelf, key);
    store.Scan(key, [&](std::string_view entry) {
      if (entry.size() < key.size() + kRecordKeyBytes) return;
      if (!store.Get(entry.substr(key.size(), kRecordKeyBytes), value)) return;
      if (found) body.push_back(',');
      body.append(value.ToStringView());
      found = true;
    });
  } else if (const auto number = NumberAfter(target, kRowKeyInPath)) {
    WriteBareRecordKey(*number, key);
    found = store.Get(key, value);
    if (found) body.append(value.ToStringView());
  }
  value.Reset();  // lets go of the store, which ends before the thread
  body += "]}";
  AppendAnswer(found ? "200 OK" : "404 Not Found", body, out);
  return true;
}

}  // namespace

std::optional<size_t> TakeBareTableRequest(std::string_view input, BareStore& store,
                                           std::string& out) {
  const size_t head_bytes = input.find(kTableHeadEnd);
  if (head_bytes == std::string_view::npos) return 0;
  const std::string_view head = input.substr(0, head_bytes);
  const size_t body_begin = head_bytes + kTableHeadEnd.size();
  const uint64_t body_bytes = NumberAfter(head, kLengthHeader).value_or(0);
  if (input.size() - body_begin < body_bytes) return 0;
  const size_t target_begin = head.find(' ') + 1;
  const size_t target_end = head.find(' ', target_begin);
  if (target_begin == 0 || target_end == std::string_view::npos) return std::nullopt;
  const std::string_view target = head.substr(target_begin, target_end - target_begin);
  const bool taken = head.starts_with("GET")
                         ? TakeReads(target, store, out)
                         : TakeWrites(target, input.substr(body_begin, body_bytes), store, out);
  if (!taken) return std::nullopt;
  return body_begin + body_bytes;
}

}  // namespace orrery::bench
