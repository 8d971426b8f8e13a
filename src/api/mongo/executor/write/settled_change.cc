#include "api/mongo/executor/write/settled_change.h"

#include <string>

namespace orrery::mongo {
namespace {

constexpr std::string_view kField = "settled";

model::Document CopyOf(model::DocumentView view) {
  return model::Document::Trusted(std::string(view.bson()));
}

bool IsTrue(const std::optional<model::ElementView>& field) {
  return field.has_value() && field->kind() == model::Kind::kBool && field->AsBool();
}

}  // namespace

void SettledChange::AppendTo(model::DocumentBuilder& program) const {
  program.OpenObject(kField).AppendDocument("seen", seen).AppendBool("matches", matches);
  if (updated.has_value()) {
    program.AppendDocument("document", updated->document);
    program.AppendBool("modified", updated->is_modified).OpenArray("touched");
    for (size_t i = 0; i < updated->touched.size(); ++i) {
      program.OpenObject(std::to_string(i)).AppendString("path", updated->touched[i].path);
      program.AppendBool("append", updated->touched[i].is_append).Close();
    }
    program.Close();
  }
  program.Close();
}

Result<std::shared_ptr<const SettledChange>> SettledChange::ReadFrom(model::DocumentView program) {
  const auto field = program.Find(kField);
  if (!field.has_value()) return nullptr;
  const Error malformed(Code::kInvalidArgument, "a change program is malformed");
  if (field->kind() != model::Kind::kObject) return std::unexpected(malformed);
  const model::DocumentView fields = field->AsDocument();
  const auto seen = fields.Find("seen");
  if (!seen.has_value() || seen->kind() != model::Kind::kObject) return std::unexpected(malformed);
  auto change = std::make_shared<SettledChange>();
  change->seen = CopyOf(seen->AsDocument());
  change->matches = IsTrue(fields.Find("matches"));
  const auto document = fields.Find("document");
  if (!document.has_value()) return change;
  const auto touched = fields.Find("touched");
  if (document->kind() != model::Kind::kObject || !touched.has_value() ||
      touched->kind() != model::Kind::kArray)
    return std::unexpected(malformed);
  UpdateOutcome& updated = change->updated.emplace();
  updated.document = CopyOf(document->AsDocument());
  updated.is_modified = IsTrue(fields.Find("modified"));
  for (const model::ElementView entry : touched->AsDocument()) {
    if (entry.kind() != model::Kind::kObject) return std::unexpected(malformed);
    const auto path = entry.AsDocument().Find("path");
    if (!path.has_value() || path->kind() != model::Kind::kString)
      return std::unexpected(malformed);
    updated.touched.push_back({.path = std::string(path->AsString()),
                               .is_append = IsTrue(entry.AsDocument().Find("append"))});
  }
  return change;
}

}  // namespace orrery::mongo
