#include "api/table/executor/table_commands.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "api/table/auth/access_policy.h"
#include "api/table/auth/policy_xml.h"
#include "api/table/filter/filter_parser.h"
#include "api/table/protocol/continuation.h"
#include "api/table/query/entity_query.h"
#include "gateway/catalog/throughput_text.h"
#include "model/document/json.h"

namespace orrery::table {
namespace {

// The times that a change of the catalog is made anew because other nodes were faster.
constexpr int kChangeAttemptsMax = 32;

// A filter over tables sees their names only.
class TableProperties final : public PropertyReader {
 public:
  explicit TableProperties(const std::string& name) : name_(name) {}
  std::optional<EdmValue> Read(const std::string& name) const override {
    if (name != "TableName") return std::nullopt;
    return EdmValue::String(name_);
  }

 private:
  const std::string& name_;
};

void AppendTable(std::string& out, const Call& call, const std::string& name, bool is_alone) {
  const auto add = [&](std::string_view field, std::string_view text) {
    if (out.back() != '{') out += ',';
    model::AppendJsonString(out, field);
    out += ':';
    model::AppendJsonString(out, text);
  };
  out += '{';
  if (is_alone && call.options.level != MetadataLevel::kNone)
    add("odata.metadata", fmt::format("{}/$metadata#Tables/@Element", call.base_url));
  if (call.options.level == MetadataLevel::kFull) {
    add("odata.type", fmt::format("{}.Tables", call.grant.account));
    add("odata.id", fmt::format("{}/Tables('{}')", call.base_url, name));
    add("odata.editLink", fmt::format("Tables('{}')", name));
  }
  add("TableName", name);
  out += '}';
}

Outcome<std::string> NameIn(const Call& call) {
  TABLE_TRY(CheckJsonBody(call.request.headers));
  const auto body = model::ParseJson(call.request.body);
  if (!body.has_value())
    return Refuse(ErrorCode::kInvalidInput,
                  "The request body is not a JSON object: " + body.error().message() + ".");
  const auto name = body->view().Find("TableName");
  if (!name.has_value() || name->kind() != model::Kind::kString)
    return Refuse(ErrorCode::kPropertiesNeedValue,
                  "The values are not specified for all properties in the entity: TableName.");
  return std::string(name->AsString());
}

}  // namespace

Outcome<Reply> TableCommands::List(const Call& call) const {
  const auto parameter = [&](std::string_view name) {
    return call.request.Query(name).value_or("");
  };
  TABLE_ASSIGN(const auto filter, ParseFilter(parameter("$filter")));
  const size_t top_max =
      call.dialect == Dialect::kStorage ? kPageRowsMax : std::numeric_limits<size_t>::max();
  TABLE_ASSIGN(const auto top, RowLimit(call.request.Query("$top"), top_max));
  const size_t rows_max = std::min(top.value_or(kPageRowsMax), kPageRowsMax);
  std::string after;
  const bool goes_on = !parameter("NextTableName").empty();
  if (goes_on) {
    TABLE_ASSIGN(after, DecodeToken(parameter("NextTableName")));
  }
  Reply reply{.body = "{", .charge = RequestUnits::Whole(1)};
  if (call.options.level != MetadataLevel::kNone) {
    reply.body += "\"odata.metadata\":";
    model::AppendJsonString(reply.body, fmt::format("{}/$metadata#Tables", call.base_url));
    reply.body += ',';
  }
  reply.body += "\"value\":[";
  size_t rows = 0;
  std::string last;
  for (const gateway::ContainerRef& table : parts_.tables.List()) {
    const std::string& name = table->settings.name;
    if ((goes_on && name <= after) || (filter != nullptr && !Holds(*filter, TableProperties(name))))
      continue;
    if (rows == rows_max) {
      if (rows_max > 0)
        reply.headers.emplace_back("x-ms-continuation-NextTableName", EncodeToken(last));
      break;
    }
    if (rows++ > 0) reply.body += ',';
    AppendTable(reply.body, call, name, /*is_alone=*/false);
    last = name;
  }
  reply.body += "]}";
  return reply;
}

Outcome<Reply> TableCommands::Get(const Call& call) const {
  const gateway::ContainerRef table = parts_.tables.Find(call.address.table, call.dialect);
  if (table == nullptr) return Refuse(ErrorCode::kResourceNotFound);
  Reply reply{.charge = RequestUnits::Whole(1)};
  AppendTable(reply.body, call, table->settings.name, /*is_alone=*/true);
  return reply;
}

Outcome<Reply> TableCommands::Create(const Call& call) const {
  TABLE_ASSIGN(const std::string name, NameIn(call));
  TABLE_TRY(CheckTableName(name));
  const auto header = [&](std::string_view of) {
    return call.request.headers.Find(of).value_or("");
  };
  TABLE_ASSIGN(const gateway::RequestedThroughput throughput,
               gateway::ReadRequestedThroughput(header(gateway::kManualThroughputHeader),
                                                header(gateway::kAutoscaleHeader)));
  TABLE_TRY(parts_.tables.Create(
      {.name = name, .throughput = throughput.settings, .ttl_s = call.options.ttl_s},
      call.dialect));
  Reply reply{.status = 201,
              .location = fmt::format("{}/Tables('{}')", call.base_url, name),
              .applied = call.options.preference,
              .charge = RequestUnits::Whole(1)};
  if (call.options.preference == Preference::kNoContent) {
    reply.status = 204;
    return reply;
  }
  AppendTable(reply.body, call, name, /*is_alone=*/true);
  return reply;
}

Outcome<Reply> TableCommands::Delete(const Call& call) const {
  TABLE_TRY(parts_.tables.Drop(call.address.table, call.dialect));
  return Reply{.status = 204, .charge = RequestUnits::Whole(1)};
}

Outcome<Reply> TableCommands::GetAcl(const Call& call) const {
  TABLE_ASSIGN(const gateway::ContainerRef table,
               parts_.tables.Get(call.address.table, call.dialect));
  return Reply{.body = PoliciesXml(KeptPolicies(table->settings.extra)),
               .is_xml = true,
               .charge = RequestUnits::Whole(1)};
}

Outcome<Reply> TableCommands::SetAcl(const Call& call) const {
  TABLE_ASSIGN(const std::vector<AccessPolicy> policies, ReadPoliciesXml(call.request.body));
  for (int attempt = 1;; ++attempt) {
    TABLE_ASSIGN(const gateway::ContainerRef table,
                 parts_.tables.Get(call.address.table, call.dialect));
    gateway::ContainerSettings settings = table->settings;
    settings.extra = WithPolicies(settings.extra, policies);
    const auto changed = parts_.tables.catalog().UpdateContainer(kDatabase, settings, table.get());
    if (changed.has_value()) return Reply{.status = 204, .charge = RequestUnits::Whole(1)};
    const bool outrun = parts_.tables.catalog().snapshot()->Newest(*table) != table;
    if (!outrun || attempt == kChangeAttemptsMax) return Fail(changed.error());
  }
}

}  // namespace orrery::table
