#include "api/cassandra/executor/statement/kept_request.h"

namespace orrery::cassandra {

KeptContext::KeptContext(const MessageContext& context)
    : client_(context.client), tracing_id_(context.tracing_id), request_(context.request) {
  for (const PayloadEntry& entry : context.payload) {
    PayloadEntry& kept = payload_.emplace_back(entry);
    kept.key = Keep(entry.key);
    kept.value = Keep(entry.value);
  }
}

KeptQuery::KeptQuery(const QueryRequest& request, const MessageContext& context)
    : KeptContext(context), values_(request.parameters.values), request_(request) {
  request_.query = Keep(request.query);
  QueryParameters& parameters = request_.parameters;
  parameters.values.assign(values_.values().begin(), values_.values().end());
  for (std::string_view& name : parameters.names) name = Keep(name);
  parameters.paging_state = Keep(parameters.paging_state);
  parameters.context.keyspace = Keep(parameters.context.keyspace);
}

KeptBatch::KeptBatch(const BatchRequest& request, const MessageContext& context)
    : KeptContext(context), values_(request.values), request_(request) {
  for (BatchStatement& each : request_.statements) each.query_or_id = Keep(each.query_or_id);
  request_.values.assign(values_.values().begin(), values_.values().end());
  request_.context.keyspace = Keep(request.context.keyspace);
}

}  // namespace orrery::cassandra
