#include "portal/json/item_json.h"

#include <fmt/format.h>

#include <charconv>
#include <utility>

#include "model/document/json.h"
#include "model/expression/expression_json.h"
#include "model/expression/patch.h"
#include "portal/json/field_reader.h"

namespace orrery::portal {
namespace {

using item::OperationKind;

Result<OperationKind> KindFrom(std::string_view name) {
  constexpr std::pair<std::string_view, OperationKind> kKinds[] = {
      {"create", OperationKind::kCreate},   {"upsert", OperationKind::kUpsert},
      {"replace", OperationKind::kReplace}, {"patch", OperationKind::kPatch},
      {"delete", OperationKind::kDelete},   {"read", OperationKind::kRead},
  };
  for (const auto& [known, kind] : kKinds) {
    if (known == name) return kind;
  }
  return Fail(
      Code::kInvalidArgument,
      fmt::format("'{}' is no operation; use create, upsert, replace, patch, delete or read",
                  name));
}

bool TakesDocument(OperationKind kind) {
  return kind == OperationKind::kCreate || kind == OperationKind::kUpsert ||
         kind == OperationKind::kReplace;
}

// Checks that an operation of this kind has all that it needs.
Status CheckComplete(const gateway::WriteOperation& operation, std::string_view kind) {
  const auto require = [&](bool present, std::string_view field) -> Status {
    if (present) return {};
    return Fail(Code::kInvalidArgument,
                fmt::format("operation '{}' needs the field '{}'", kind, field));
  };
  if (TakesDocument(operation.kind)) return require(operation.document.has_value(), "document");
  ORRERY_TRY(require(operation.row_key.has_value(), "id"));
  return operation.kind == OperationKind::kPatch ? require(!operation.patch.empty(), "patch")
                                                 : Status();
}

}  // namespace

gateway::KeyValues KeyValuesFrom(const model::Value& value) {
  if (value.kind() == model::Kind::kArray) return value.AsValues();
  return {value};
}

Result<std::optional<gateway::KeyValues>> PartitionKeyParameter(const net::HttpRequest& request) {
  const auto text = request.Query("partitionKey");
  if (!text) return std::nullopt;
  const auto value = model::ValueFromJson(*text);
  if (!value) {
    return Fail(Code::kInvalidArgument,
                "the parameter partitionKey must be JSON, such as \"berlin\" or [\"berlin\",7], "
                "percent-encoded");
  }
  return KeyValuesFrom(*value);
}

std::string FormatEtag(Lsn lsn) { return fmt::format("\"{}\"", lsn.value()); }

Result<Lsn> ParseEtag(std::string_view text) {
  if (text.size() >= 2 && text.starts_with('"') && text.ends_with('"'))
    text = text.substr(1, text.size() - 2);
  uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) {
    return Fail(Code::kInvalidArgument,
                fmt::format("'{}' is not an etag that this server gave", text));
  }
  return Lsn(value);
}

Status ApplyConditionHeaders(const net::HttpRequest& request, gateway::WriteOperation& operation) {
  if (const auto match = request.headers.Find("if-match"); match && *match != "*") {
    ORRERY_ASSIGN(operation.if_match, ParseEtag(*match));
  }
  if (const auto none = request.headers.Find("if-none-match")) {
    if (*none != "*") return Fail(Code::kUnsupported, "If-None-Match takes only '*' on writes");
    operation.if_absent = true;
  }
  return {};
}

Result<gateway::WriteOperation> OperationFrom(model::DocumentView document) {
  FieldReader fields(document);
  const std::string kind = fields.RequiredString("kind");
  const auto body = fields.Object("document");
  const auto patch = fields.Any("patch");
  const auto condition = fields.Any("condition");
  const auto if_match = fields.String("ifMatch");
  gateway::WriteOperation operation;
  operation.row_key = fields.Any("id");
  operation.if_absent = fields.Bool("ifAbsent").value_or(false);
  ORRERY_TRY(fields.Finish());

  ORRERY_ASSIGN(operation.kind, KindFrom(kind));
  if (body) operation.document = model::Document::Trusted(std::string(body->bson()));
  if (patch) {
    ORRERY_ASSIGN(operation.patch, model::PatchFromJson(*patch));
  }
  if (condition) {
    ORRERY_ASSIGN(operation.condition, model::ExpressionFromJson(*condition));
  }
  if (if_match) {
    ORRERY_ASSIGN(operation.if_match, ParseEtag(*if_match));
  }
  ORRERY_TRY(CheckComplete(operation, kind));
  return operation;
}

}  // namespace orrery::portal
