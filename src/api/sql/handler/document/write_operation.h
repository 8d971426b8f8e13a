// Writes of one document, from what a client sent to what the gateway is asked, and from what came
// of it to what the client sees. Shared by single writes and by batches.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "api/sql/document/container_names.h"
#include "api/sql/handler/document/document_target.h"
#include "api/sql/http/error_response.h"
#include "base/clock.h"
#include "gateway/gateway.h"
#include "model/document/document.h"
#include "model/value.h"

namespace orrery::sql {

struct Conditions {
  std::string if_match;
  std::string if_none_match;
};

// One operation, where it goes, and what is yet to be found out before it may be sent.
struct PreparedWrite {
  DocumentTarget target;
  gateway::WriteOperation operation{};
  // Of a replace that gives the document another id: what removes the former one, to be done
  // before `operation` and with it.
  std::optional<gateway::WriteOperation> removal{};
  std::string condition{};  // of a patch: a query's FROM and WHERE; empty for none
};

// kCreate, kUpsert or kReplace. `id` is of a path, and a replace may change it; empty for none.
SqlResult<PreparedWrite> PrepareDocument(const gateway::Gateway& gateway,
                                         const gateway::ContainerEntry& container,
                                         const std::optional<gateway::KeyValues>& named,
                                         item::OperationKind kind, std::string_view id,
                                         const Conditions& conditions, model::DocumentView document,
                                         Micros now);

// [{"op","path","value"}] or {"condition":"from c where ..","operations":[..]}.
SqlResult<PreparedWrite> PreparePatch(DocumentTarget target, const Conditions& conditions,
                                      const model::Value& body, Micros now);

// kDelete or kRead.
PreparedWrite PrepareWithoutBody(DocumentTarget target, item::OperationKind kind,
                                 const Conditions& conditions);

// Appends what does it: a document that gets another id is removed and written.
void AddTo(gateway::WriteRequest& request, PreparedWrite write);
// It alone.
gateway::WriteRequest RequestOf(gateway::ContainerRef container, PreparedWrite write);

// 200, 201 or 204.
int StatusOf(item::OperationKind done);

// Appends the document of a result as clients see it.
void AppendResult(std::string& out, const ContainerNames& names, const item::ItemKey& key,
                  const item::OperationResult& result);

}  // namespace orrery::sql
