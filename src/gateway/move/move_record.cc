#include "gateway/move/move_record.h"

#include "base/bytes.h"
#include "gateway/catalog/document_fields.h"
#include "model/document/document.h"
#include "model/document/document_builder.h"

namespace orrery::gateway {
namespace {

constexpr int64_t kWholeMax = INT64_MAX;

Result<std::string> BytesField(const model::ElementView& field) {
  std::string bytes;
  ORRERY_ASSIGN(const std::string hex, StringField(field));
  if (!FromHex(hex, bytes)) return Fail(Code::kCorruption, "its position is not hex");
  return bytes;
}

Status ReadMoveField(const model::ElementView& field, MoveRecord& record) {
  const std::string_view name = field.name();
  const auto whole = [&field]() { return IntegerField(field, 0, kWholeMax); };
  const auto text = [&field](std::string& to) -> Status {
    ORRERY_ASSIGN(to, StringField(field));
    return {};
  };
  const auto number = [&](auto& to) -> Status {
    ORRERY_ASSIGN(const int64_t value, whole());
    to = static_cast<std::remove_reference_t<decltype(to)>>(value);
    return {};
  };
  if (name == "database") return text(record.database);
  if (name == "container") return text(record.container);
  if (name == "targetName") return text(record.target_name);
  if (name == "error") return text(record.error);
  if (name == "digest") return text(record.digest);
  if (name == "incomplete") {
    ORRERY_ASSIGN(record.incomplete, BoolField(field));
    return {};
  }
  if (name == "retention") return number(record.retention_minutes);
  if (name == "copied") return number(record.copied);
  if (name == "changes") return number(record.changes);
  if (name == "total") return number(record.total);
  if (name == "started") return number(record.started_ms);
  if (name == "verified") return number(record.verified);
  if (name == "scan") {
    ORRERY_ASSIGN(record.scan, BytesField(field));
  } else if (name == "feed") {
    ORRERY_ASSIGN(record.feed, BytesField(field));
  } else if (name == "source") {
    ORRERY_ASSIGN(const int64_t id, whole());
    record.source = ContainerId(static_cast<uint32_t>(id));
  } else if (name == "target") {
    ORRERY_ASSIGN(const int64_t id, whole());
    record.target = ContainerId(static_cast<uint32_t>(id));
  } else if (name == "ended") {
    ORRERY_ASSIGN(record.ended_ms, whole());
  } else if (name == "pauseUs") {
    ORRERY_ASSIGN(const int64_t pause, whole());
    record.pause_ms = static_cast<double>(pause) / 1'000;
  } else if (name == "phase") {
    ORRERY_ASSIGN(const int64_t phase, whole());
    if (phase > static_cast<int64_t>(MovePhase::kCancelled))
      return Fail(Code::kCorruption, "its phase is unknown");
    record.phase = static_cast<MovePhase>(phase);
  }
  return {};
}

}  // namespace

std::string_view NameOf(MovePhase phase) {
  switch (phase) {
    case MovePhase::kCopy:
      return "copying";
    case MovePhase::kFollow:
      return "following";
    case MovePhase::kDone:
      return "done";
    case MovePhase::kFailed:
      return "failed";
    case MovePhase::kCancelled:
      break;
  }
  return "cancelled";
}

std::string MoveKey(uint64_t number) {
  std::string key(kMovePrefix);
  AppendBigEndian(key, number);
  return key;
}

std::string EncodeMove(const MoveRecord& record) {
  model::DocumentBuilder builder;
  const auto number = [&builder](std::string_view name, uint64_t value) {
    builder.AppendInt64(name, static_cast<int64_t>(value));
  };
  builder.AppendString("database", record.database)
      .AppendString("container", record.container)
      .AppendString("targetName", record.target_name);
  number("source", record.source.value());
  number("target", record.target.value());
  number("phase", static_cast<uint64_t>(record.phase));
  builder.AppendString("scan", ToHex(record.scan)).AppendString("feed", ToHex(record.feed));
  if (record.incomplete) builder.AppendBool("incomplete", true);
  number("retention", record.retention_minutes);
  number("copied", record.copied);
  number("changes", record.changes);
  number("total", record.total);
  number("started", static_cast<uint64_t>(record.started_ms));
  if (record.ended_ms.has_value()) number("ended", static_cast<uint64_t>(*record.ended_ms));
  if (record.pause_ms.has_value())
    number("pauseUs", static_cast<uint64_t>(*record.pause_ms * 1'000));
  number("verified", record.verified);
  if (!record.digest.empty()) builder.AppendString("digest", record.digest);
  if (!record.error.empty()) builder.AppendString("error", record.error);
  return std::move(builder).Finish().Release();
}

Result<MoveRecord> DecodeMove(std::string_view key, std::string_view value) {
  const auto damaged = [] {
    return Fail(Code::kCorruption, "the record of a container's move is damaged");
  };
  if (key.size() != kMovePrefix.size() + sizeof(uint64_t)) return damaged();
  const auto document = model::DocumentView::FromBson(value);
  if (!document.has_value()) return damaged();
  MoveRecord record;
  record.number = LoadBigEndian<uint64_t>(key.data() + kMovePrefix.size());
  for (const model::ElementView field : *document)
    if (!ReadMoveField(field, record).has_value()) return damaged();
  if (record.source == ContainerId() || record.container.empty()) return damaged();
  return record;
}

}  // namespace orrery::gateway
