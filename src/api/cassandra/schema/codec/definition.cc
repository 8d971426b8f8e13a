#include "api/cassandra/schema/codec/definition.h"

#include <fmt/format.h>

#include <limits>

namespace orrery::cassandra {
namespace {

constexpr std::string_view kApi = "cassandra";

}  // namespace

bool IsOurs(const std::optional<model::Document>& extra) {
  if (!extra.has_value()) return false;
  const auto api = extra->view().Find("api");
  return api.has_value() && api->kind() == model::Kind::kString && api->AsString() == kApi;
}

void AppendHead(model::DocumentBuilder& builder) {
  builder.AppendString("api", kApi).AppendInt32("version", kDefinitionVersion);
}

Status CheckVersion(const Fields& fields) {
  ORRERY_ASSIGN(const int64_t version,
                fields.Integer("version", 1, std::numeric_limits<int64_t>::max()));
  if (version <= kDefinitionVersion) return {};
  return Fail(Code::kUnsupported,
              fmt::format("version {} wrote it, this one knows {}", version, kDefinitionVersion));
}

}  // namespace orrery::cassandra
