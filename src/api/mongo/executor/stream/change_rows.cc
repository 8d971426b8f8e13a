#include "api/mongo/executor/stream/change_rows.h"

#include <fmt/format.h>

#include "api/mongo/language/pipeline/stage.h"
#include "api/mongo/language/value/print.h"

namespace orrery::mongo {
namespace {

std::unexpected<MongoError> ChangedToken(const std::string& token, model::DocumentView found) {
  const auto id = found.Find("_id");
  MongoError error{
      static_cast<int32_t>(ErrorCode::kChangeStreamFatalError),
      fmt::format(
          "Executor error during getMore :: caused by :: Encountered an event whose _id "
          "field, which contains the resume token, was modified by the pipeline. Modifying "
          "the _id field of an event makes it impossible to resume the stream from that "
          "point. Only transformations that retain the unmodified _id field are allowed. "
          "Expected: {{ _id: {{ _data: \"{}\" }} }} but found: {}",
          token,
          id.has_value() ? fmt::format("{{ {} }}", PrintElement("_id", id->ToValue())) : "{}")};
  error.labels.emplace_back("NonResumableChangeStreamError");
  return std::unexpected(std::move(error));
}

bool HasToken(model::DocumentView document, const std::string& token) {
  const auto id = document.Find("_id");
  return id.has_value() && id->kind() == model::Kind::kObject &&
         id->AsDocument().bson() == TokenDocument(token).bson();
}

}  // namespace

Answer<std::optional<Row>> ChangeRows::Next() {
  former_ = position_;
  while (true) {
    MONGO_ASSIGN(std::optional<ChangeStream::Event> event, stream_->Next());
    position_ = stream_->position();
    if (!event.has_value()) return std::nullopt;
    Row row{.document = std::move(event->document)};
    if (pipeline_ == nullptr) return row;
    std::vector<Row> rows;
    rows.push_back(std::move(row));
    MONGO_ASSIGN(std::optional<Row> made,
                 pipeline_->Open(RowsOf(std::move(rows)), nullptr)->Next());
    if (!made.has_value()) continue;
    if (!HasToken(made->document, event->token)) return ChangedToken(event->token, made->document);
    return made;
  }
}

void ChangeRows::AppendFacts(model::DocumentBuilder& cursor, bool holds_row) const {
  cursor.AppendDocument("postBatchResumeToken", TokenDocument(holds_row ? former_ : position_));
  if (stream_->has_ended() && !holds_row) cursor.AppendBool("invalidated", true);
}

}  // namespace orrery::mongo
