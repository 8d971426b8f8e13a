// Item requests in the admin interface: keys, etags and operations as JSON says them.
//
//   partition key := value | [ value, ... ]          ; one value for each path of the key
//   etag          := "\"" lsn "\""                   ; as in the header; the quotes may be missing
//   operation     := { "kind": "create" | "upsert" | "replace" | "patch" | "delete" | "read",
//                      "document": {...},            ; create, upsert, replace
//                      "id": value,                  ; patch, delete, read
//                      "patch": [ {"op": "set", "path": "/a/b", "value": ...}, ... ],  ;
//                      model/expression/patch.h "condition": expression,      ;
//                      model/expression/expression_json.h "ifMatch": etag, "ifAbsent": true }
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/ids.h"
#include "base/status.h"
#include "gateway/requests.h"
#include "model/document/document.h"
#include "model/value.h"
#include "net/http/http_message.h"

namespace orrery::portal {

gateway::KeyValues KeyValuesFrom(const model::Value& value);

// The partitionKey parameter of the query, which is JSON; nullopt when there is none.
Result<std::optional<gateway::KeyValues>> PartitionKeyParameter(const net::HttpRequest& request);

std::string FormatEtag(Lsn lsn);
Result<Lsn> ParseEtag(std::string_view text);

// If-Match and If-None-Match (of which only "*" is known) into the operation.
Status ApplyConditionHeaders(const net::HttpRequest& request, gateway::WriteOperation& operation);

Result<gateway::WriteOperation> OperationFrom(model::DocumentView document);

}  // namespace orrery::portal
