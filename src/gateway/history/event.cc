#include "gateway/history/event.h"

#include <algorithm>

#include "base/bytes.h"
#include "model/document/document.h"
#include "model/document/document_builder.h"

namespace orrery::gateway {
namespace {

using model::DocumentBuilder;
using model::Kind;
using model::Value;

// Cuts at the start of a character.
std::string_view Shortened(std::string_view text) {
  if (text.size() <= kEventTextBytesMax) return text;
  size_t end = kEventTextBytesMax;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  return text.substr(0, end);
}

void AppendText(DocumentBuilder& builder, std::string_view name, const std::string& text) {
  if (!text.empty()) builder.AppendString(name, Shortened(text));
}

void AppendNumber(DocumentBuilder& builder, std::string_view name, uint64_t number) {
  if (number != 0) builder.AppendInt64(name, static_cast<int64_t>(number));
}

template <typename T>
void AppendNumbers(DocumentBuilder& builder, std::string_view name, const std::vector<T>& numbers) {
  if (numbers.empty()) return;
  builder.OpenArray(name);
  for (size_t i = 0; i < numbers.size(); ++i)
    builder.AppendInt64(std::to_string(i), static_cast<int64_t>(numbers[i]));
  builder.Close();
}

std::string TextOf(model::DocumentView document, std::string_view name) {
  Value value = document.Get(name);
  return value.kind() == Kind::kString ? value.AsString() : std::string();
}

int64_t WholeOf(const Value& value) { return value.kind() == Kind::kInt64 ? value.AsInteger() : 0; }

uint64_t UnsignedOf(model::DocumentView document, std::string_view name) {
  return static_cast<uint64_t>(WholeOf(document.Get(name)));
}

template <typename T>
std::vector<T> NumbersOf(model::DocumentView document, std::string_view name) {
  std::vector<T> numbers;
  const Value value = document.Get(name);
  if (value.kind() != Kind::kArray) return numbers;
  for (const Value& each : value.AsValues()) numbers.push_back(static_cast<T>(WholeOf(each)));
  return numbers;
}

}  // namespace

std::string EventKey(uint64_t number) {
  std::string key(kEventPrefix);
  AppendBigEndian(key, number);
  return key;
}

uint64_t EventNumber(std::string_view key) {
  uint64_t number = 0;
  if (!key.starts_with(kEventPrefix)) return 0;
  ByteReader reader(key.substr(kEventPrefix.size()));
  return reader.ReadBigEndian(number) && reader.empty() ? number : 0;
}

std::string EncodeEvent(const Event& event) {
  DocumentBuilder builder;
  builder.AppendInt64("time", event.time_ms).AppendString("kind", event.kind);
  AppendText(builder, "database", event.database);
  AppendText(builder, "container", event.container);
  AppendNumbers(builder, "containers", event.container_ids);
  AppendNumbers(builder, "before", event.before);
  AppendNumbers(builder, "after", event.after);
  AppendText(builder, "why", event.why);
  if (event.pause_ms.has_value()) builder.AppendDouble("pauseMs", *event.pause_ms);
  AppendNumber(builder, "fromNode", event.from_node);
  AppendNumber(builder, "toNode", event.to_node);
  AppendNumber(builder, "begins", event.begins);
  if (event.ended_ms.has_value()) builder.AppendInt64("ended", *event.ended_ms);
  AppendNumber(builder, "refused", event.refused);
  AppendText(builder, "hottest", event.hottest);
  AppendText(builder, "what", event.what);
  AppendText(builder, "text", event.text);
  return std::move(builder).Finish().bson();
}

Result<Event> DecodeEvent(std::string_view bytes) {
  const auto document = model::DocumentView::FromBson(bytes);
  if (!document.has_value()) return Fail(Code::kCorruption, "an event is not a document");
  Event event;
  event.time_ms = WholeOf(document->Get("time"));
  event.kind = TextOf(*document, "kind");
  if (event.kind.empty()) return Fail(Code::kCorruption, "an event has no kind");
  event.database = TextOf(*document, "database");
  event.container = TextOf(*document, "container");
  event.container_ids = NumbersOf<uint32_t>(*document, "containers");
  event.before = NumbersOf<uint64_t>(*document, "before");
  event.after = NumbersOf<uint64_t>(*document, "after");
  event.why = TextOf(*document, "why");
  if (const Value pause = document->Get("pauseMs"); pause.kind() == Kind::kDouble)
    event.pause_ms = pause.AsDouble();
  event.from_node = UnsignedOf(*document, "fromNode");
  event.to_node = UnsignedOf(*document, "toNode");
  event.begins = UnsignedOf(*document, "begins");
  if (const Value ended = document->Get("ended"); ended.kind() == Kind::kInt64)
    event.ended_ms = ended.AsInteger();
  event.refused = UnsignedOf(*document, "refused");
  event.hottest = TextOf(*document, "hottest");
  event.what = TextOf(*document, "what");
  event.text = TextOf(*document, "text");
  return event;
}

}  // namespace orrery::gateway
