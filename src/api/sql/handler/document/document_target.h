// Finds the target of a request about documents: the container, the partition key and the id,
// checked against each other and against the rules for ids and documents.
#pragma once

#include <string>
#include <string_view>

#include "api/sql/handler/parts.h"
#include "api/sql/http/error_response.h"
#include "api/sql/request/request_headers.h"
#include "gateway/gateway.h"
#include "model/document/document.h"

namespace orrery::sql {

// The key of a request that brings no document. 400 when the container has a key and the request
// names none, or one of another shape.
SqlResult<gateway::KeyValues> KeyOfRequest(const gateway::ContainerEntry& container,
                                           const RequestHeaders& headers);

// The location of one document, in the forms that the layers below and the answer need.
struct DocumentTarget {
  gateway::KeyValues partition_key;
  std::string id;
  item::ItemKey key;
};

// Of a document by its id.
SqlResult<DocumentTarget> TargetOf(const gateway::Gateway& gateway,
                                   const gateway::ContainerEntry& container,
                                   gateway::KeyValues partition_key, std::string id);
// Of a document to be written. 400 for an invalid id or ttl, 400/1001 when its key is not
// the one that the request names, if it names one.
SqlResult<DocumentTarget> TargetOf(const gateway::Gateway& gateway,
                                   const gateway::ContainerEntry& container,
                                   const std::optional<gateway::KeyValues>& named,
                                   model::DocumentView document);

// 400 for what no document may have as its ttl.
SqlResult<void> CheckTtl(const model::Value& ttl);

// The id of the document that has this rid, in one logical partition. 404 when none has. Blocks.
SqlResult<std::string> IdOfRid(gateway::Gateway& gateway, const gateway::ContainerRef& container,
                               const gateway::KeyValues& partition_key, std::string_view rid);

}  // namespace orrery::sql
