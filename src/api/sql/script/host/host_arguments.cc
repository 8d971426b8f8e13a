#include "api/sql/script/host/host_arguments.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "api/sql/document/etag.h"
#include "model/document/json.h"

namespace orrery::sql {
namespace {

// No version has it.
constexpr Lsn kNoVersion{std::numeric_limits<uint64_t>::max()};

std::string_view TextOf(const script::HostCall& call, size_t index) {
  if (index >= call.arguments().size()) return "null";
  return std::get<script::Json>(call.arguments()[index]).text;
}

}  // namespace

Result<model::Value> ValueArgument(const script::HostCall& call, size_t index) {
  return model::ValueFromJson(TextOf(call, index));
}

Result<std::string> TextArgument(const script::HostCall& call, size_t index,
                                 std::string_view what) {
  ORRERY_ASSIGN(const model::Value value, ValueArgument(call, index));
  if (value.kind() != model::Kind::kString)
    return Fail(Code::kInvalidArgument, fmt::format("{} is a string", what));
  return value.AsString();
}

Result<model::Document> DocumentArgument(const script::HostCall& call, size_t index) {
  if (!TextOf(call, index).starts_with('{'))
    return Fail(Code::kInvalidArgument, "the body of a document is an object");
  return model::ParseJson(TextOf(call, index));
}

std::string TextOption(const model::Value& options, std::string_view name) {
  const model::Value* found = options.Find(name);
  return found != nullptr && found->kind() == model::Kind::kString ? found->AsString() : "";
}

std::optional<Lsn> EtagOption(const model::Value& options, std::string_view name) {
  const std::string text = TextOption(options, name);
  if (text.empty()) return std::nullopt;
  return ParseEtag(text).value_or(kNoVersion);
}

size_t PageSizeOption(const model::Value& options, size_t otherwise, size_t most) {
  const model::Value* found = options.Find("pageSize");
  if (found == nullptr) return otherwise;
  if (found->kind() != model::Kind::kInt32 && found->kind() != model::Kind::kInt64)
    return otherwise;
  if (found->AsInteger() <= 0) return otherwise;
  return static_cast<size_t>(std::min(found->AsInteger(), static_cast<int64_t>(most)));
}

}  // namespace orrery::sql
