// Converts documents between their stored form and the form that clients see.
//
//   stored := what the client sent, less the server's properties, and then "_ts"
//   seen   := stored, and then "_rid", "_self", "_etag", "_attachments"
//
// `_ts` is stored so that it is indexed and queried like any other property; the rest follows from
// the item's keys and position.
#pragma once

#include <string>
#include <string_view>

#include "api/sql/document/container_names.h"
#include "base/clock.h"
#include "base/ids.h"
#include "gateway/requests.h"
#include "model/document/document.h"
#include "model/value.h"

namespace orrery::sql {

inline constexpr std::string_view kRidProperty = "_rid";
inline constexpr std::string_view kSelfProperty = "_self";
inline constexpr std::string_view kEtagProperty = "_etag";
inline constexpr std::string_view kAttachmentsProperty = "_attachments";
inline constexpr std::string_view kTimeProperty = "_ts";

// Returns whether the server writes this property, and clients cannot.
bool IsSystemProperty(std::string_view name);

// Returns the stored form of what a client sent at `now`.
model::Document ToStored(model::DocumentView sent, Micros now);

// The place of a document and its version.
struct DocumentVersion {
  item::ItemRef key;
  Lsn lsn;
  Micros time{0};  // shown as `_ts` when none is stored: another interface may have written it
};

// A stored document as clients see it: as JSON behind `out`, and as a value.
void AppendSeenJson(std::string& out, model::DocumentView stored, const ContainerNames& names,
                    const DocumentVersion& version);
model::Value ToSeen(model::DocumentView stored, const ContainerNames& names,
                    const DocumentVersion& version);

}  // namespace orrery::sql
