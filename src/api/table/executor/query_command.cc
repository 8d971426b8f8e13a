#include "api/table/executor/query_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "api/table/executor/entity_commands.h"
#include "api/table/filter/filter_parser.h"
#include "api/table/query/entity_query.h"
#include "model/document/json.h"

namespace orrery::table {
namespace {

// {"odata.metadata":..,"value":[..]}
class PageWriter final : public EntitySink {
 public:
  explicit PageWriter(const EntityFormat& format) : writer_(format) {
    body_ = "{";
    if (format.level != MetadataLevel::kNone) {
      body_ += "\"odata.metadata\":";
      model::AppendJsonString(body_, fmt::format("{}/$metadata#{}", format.base_url, format.table));
      body_ += ',';
    }
    body_ += "\"value\":[";
  }

  size_t Add(model::DocumentView document, Micros time) override {
    if (body_.back() != '[') body_ += ',';
    writer_.Append(body_, document, time);
    return body_.size();
  }

  std::string Finish() && { return std::move(body_) + "]}"; }

 private:
  const EntityWriter writer_;
  std::string body_;
};

}  // namespace

Outcome<Reply> QueryCommand::Run(const Call& call) const {
  TABLE_ASSIGN(gateway::ContainerRef table, parts_.tables.Get(call.address.table, call.dialect));
  EntityQuery query{.container = std::move(table), .scope = call.grant.keys};
  const auto parameter = [&](std::string_view name) {
    return call.request.Query(name).value_or("");
  };
  TABLE_ASSIGN(query.filter, ParseFilter(parameter("$filter")));
  TABLE_ASSIGN(query.descending, IsDescending(parameter("$orderby")));
  const size_t top_max =
      call.dialect == Dialect::kStorage ? kPageRowsMax : std::numeric_limits<size_t>::max();
  TABLE_ASSIGN(const auto top, RowLimit(call.request.Query("$top"), top_max));
  query.rows_max = std::min(top.value_or(kPageRowsMax), kPageRowsMax);
  if (const auto next = parameter("NextPartitionKey"); !next.empty()) {
    TABLE_ASSIGN(query.after, DecodeEntityPosition(next, parameter("NextRowKey")));
  }
  const EntityFormat format = FormatOf(call, *query.container);
  PageWriter writer(format);
  TABLE_ASSIGN(const EntityPage page,
               RunEntityQuery(parts_.gateway, parts_.clock, call.context(), query, writer));
  Reply reply{.body = std::move(writer).Finish(), .charge = page.charge};
  if (page.next.has_value()) {
    reply.headers.emplace_back("x-ms-continuation-NextPartitionKey",
                               EncodeToken(page.next->partition_key, page.next->is_scan));
    reply.headers.emplace_back("x-ms-continuation-NextRowKey",
                               EncodeToken(page.next->row_key.value_or("")));
  }
  return reply;
}

}  // namespace orrery::table
