#include "api/mongo/executor/write/write_outcome.h"

#include "model/document/document_builder.h"

namespace orrery::mongo {
namespace {

model::Document CopyOf(const model::ElementView& element) {
  return model::Document::Trusted(std::string(element.AsDocument().bson()));
}

int64_t IntegerAt(model::DocumentView document, std::string_view name) {
  const auto found = document.Find(name);
  const bool is_integer = found.has_value() && (found->kind() == model::Kind::kInt64 ||
                                                found->kind() == model::Kind::kInt32);
  return is_integer ? found->AsInteger() : 0;
}

}  // namespace

std::string WriteOutcome::Encode() const {
  model::DocumentBuilder builder;
  builder.AppendInt64("n", matched).AppendInt64("m", modified);
  if (upserted.has_value()) builder.Append("u", *upserted);
  if (before.has_value()) builder.AppendDocument("b", *before);
  if (after.has_value()) builder.AppendDocument("a", *after);
  if (!retried.empty()) {
    builder.OpenArray("r");
    for (size_t i = 0; i < retried.size(); ++i)
      builder.AppendInt64(std::to_string(i), static_cast<int64_t>(retried[i]));
    builder.Close();
  }
  if (!failures.empty()) {
    builder.OpenArray("e");
    for (size_t i = 0; i < failures.size(); ++i) {
      const Failure& failure = failures[i];
      builder.OpenObject(std::to_string(i));
      builder.AppendInt64("i", static_cast<int64_t>(failure.number));
      builder.AppendInt32("c", failure.error.code).AppendString("t", failure.error.message);
      if (failure.error.info.has_value()) builder.AppendDocument("d", *failure.error.info);
      if (failure.error.beside.has_value()) builder.AppendDocument("f", *failure.error.beside);
      builder.Close();
    }
    builder.Close();
  }
  if (wants != Wants::kNothing) builder.AppendInt64("w", static_cast<int64_t>(wants));
  return std::move(std::move(builder).Finish()).Release();
}

Result<WriteOutcome> WriteOutcome::Decode(std::string_view bytes) {
  const auto document = model::DocumentView::FromBson(bytes);
  if (!document.has_value()) return Fail(Code::kCorruption, "a program's outcome is malformed");
  WriteOutcome outcome;
  outcome.matched = IntegerAt(*document, "n");
  outcome.modified = IntegerAt(*document, "m");
  outcome.wants = static_cast<Wants>(IntegerAt(*document, "w"));
  if (const auto id = document->Find("u")) outcome.upserted = id->ToValue();
  if (const auto image = document->Find("b")) outcome.before = CopyOf(*image);
  if (const auto image = document->Find("a")) outcome.after = CopyOf(*image);
  if (const auto retried = document->Find("r"); retried && retried->kind() == model::Kind::kArray) {
    for (const model::ElementView number : retried->AsDocument()) {
      if (number.kind() == model::Kind::kInt64)
        outcome.retried.push_back(static_cast<size_t>(number.AsInteger()));
    }
  }
  if (const auto failures = document->Find("e")) {
    for (const model::ElementView entry : failures->AsDocument()) {
      const model::DocumentView fields = entry.AsDocument();
      Failure failure;
      failure.number = static_cast<size_t>(IntegerAt(fields, "i"));
      failure.error.code = static_cast<int32_t>(IntegerAt(fields, "c"));
      if (const auto text = fields.Find("t")) failure.error.message = text->AsString();
      if (const auto info = fields.Find("d")) failure.error.info = CopyOf(*info);
      if (const auto beside = fields.Find("f")) failure.error.beside = CopyOf(*beside);
      outcome.failures.push_back(std::move(failure));
    }
  }
  return outcome;
}

}  // namespace orrery::mongo
