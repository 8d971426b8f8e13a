// The document form of settings: BSON in the catalog, JSON at the admin interface, with the same
// field names in both. docs/format/catalog.md lists them.
#pragma once

#include "base/status.h"
#include "gateway/catalog/container_settings.h"
#include "model/document/document.h"
#include "model/document/document_builder.h"
#include "partition/rate/throughput.h"

namespace orrery::gateway {

// Fields that have their default value are left out, except the name and the key.
model::Document ToDocument(const ContainerSettings& settings);
// kInvalidArgument names the field that is unknown or has the wrong type. What the fields say is
// checked by Validate.
Result<ContainerSettings> ContainerSettingsFrom(model::DocumentView document);

// {"manual": 400} or {"autoscaleMax": 4000}; nothing is appended for no throughput.
void AppendThroughput(model::DocumentBuilder& builder, std::string_view name,
                      const partition::ThroughputSettings& throughput);
// kInvalidArgument also for neither and for both.
Result<partition::ThroughputSettings> ThroughputFrom(model::DocumentView document);

void AppendIndexing(model::DocumentBuilder& builder, std::string_view name,
                    const IndexingSettings& indexing);
Result<IndexingSettings> IndexingFrom(model::DocumentView document);

}  // namespace orrery::gateway
