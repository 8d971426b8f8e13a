// Moving data between servers, for `orrery export` and `orrery import` (docs/operations/
// export-import.md): the catalog, and the items of a container out, in, and compared.
//
//   GET  /_admin/v1/archive/catalog                        -> BSON:
//   gateway/archive/archive_catalog.h POST /_admin/v1/archive/databases, .../containers      <-
//   BSON, the same -> {"created": bool} POST .../containers/{c}/archive/read    <- {"continuation"}
//   -> page POST .../containers/{c}/archive/write   <- batch -> {"written": n, "throttled": bool}
//   POST .../containers/{c}/archive/digest  <- {"continuation"}
//                                           -> {"items", "mortal", "sum", "continuation"}
//
//   page := continuation:bytes batch      ; gateway/archive/archive_batch.h, length as a varint
//
// Also what only reads needs a key that may write: the catalog has the hashes of passwords.
#pragma once

#include "gateway/gateway.h"
#include "gateway/row/row_gateway.h"
#include "portal/router.h"

namespace orrery::portal {

// The gateways must outlive the router.
void AddArchiveRoutes(Router& router, gateway::Gateway& gateway, gateway::RowGateway& rows);

}  // namespace orrery::portal
