// Queries of scripts: collection.queryDocuments. The query engine answers them over the documents
// that the script sees, its own uncommitted writes among them.
//
// Implementations are thread-safe; a view belongs to the call's thread.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "api/sql/script/transaction/script_documents.h"
#include "base/status.h"
#include "model/value.h"

namespace orrery::sql {

struct ScriptQuery {
  std::string text;
  model::Fields parameters{};  // by name, with the '@'
  int64_t documents_max = -1;  // of a page; -1: as the engine likes
  std::string continuation{};  // of the page before
};

struct ScriptQueryPage {
  std::vector<std::string> rows;  // each as JSON
  std::string continuation;       // empty after the last page
};

class ScriptQueries {
 public:
  virtual ~ScriptQueries() = default;
  // One page, read by ScriptDocuments::ReadPage, which counts its charge. kInvalidArgument with the
  // place for a query that is none. Errors of the view are passed on as they are.
  virtual Result<ScriptQueryPage> Run(ScriptDocuments& documents, const ScriptQuery& query) = 0;
};

}  // namespace orrery::sql
