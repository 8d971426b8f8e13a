// The bench's container on the server: made and filled.
#pragma once

#include "base/status.h"
#include "sql/document_maker.h"
#include "sql/request_maker.h"
#include "sql/sql_options.h"

namespace orrery::bench {

// Makes database and container if they are not there, partitioned by /pk and with the server's own
// indexing policy: all is indexed.
Status CreateContainer(const SqlOptions& options, const RequestMaker& requests);

// Writes all documents, over those that are there. An error if any could not be written.
Status LoadDocuments(const SqlOptions& options, const RequestMaker& requests,
                     const DocumentMaker& documents);

}  // namespace orrery::bench
