// Makes the documents of change streams' events, field by field in MongoDB's order.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "api/mongo/catalog/collection.h"
#include "api/mongo/error/mongo_error.h"
#include "api/mongo/executor/stream/change_note.h"
#include "api/mongo/executor/stream/resume_token.h"
#include "gateway/catalog/catalog_event.h"
#include "gateway/gateway.h"

namespace orrery::mongo {

enum class FullDocument : uint8_t { kDefault, kUpdateLookup, kWhenAvailable, kRequired };
enum class FullDocumentBefore : uint8_t { kOff, kWhenAvailable, kRequired };

struct EventOptions {
  FullDocument full_document = FullDocument::kDefault;
  FullDocumentBefore before = FullDocumentBefore::kOff;
  bool shows_expanded = false;
};

// A change of a document.
struct DocumentChange {
  CollectionPtr collection;  // as it is now, or was when it was dropped
  Namespace name;            // that it had then
  item::FeedEntry entry;
};

// `{_id: ...}`, of a sharded collection with the shard key in front.
model::Document DocumentKeyOf(const DocumentChange& change);

// The event with this token. nullopt if the change cannot be told, because its document was written
// before the collection kept versions. kNoMatchingDocument if it lacks an image that the options
// require. Blocks for kUpdateLookup.
Answer<std::optional<model::Document>> EventOf(const DocumentChange& change,
                                               const std::string& token,
                                               const EventOptions& options,
                                               gateway::Gateway& gateway);

// A change of a collection or database as a whole. nullopt if it is told only with expanded events,
// and they are not wanted. `uuid` may be undefined.
std::optional<model::Document> EventOf(const gateway::CatalogEvent& event, const model::Value& uuid,
                                       const std::string& token, const EventOptions& options);
model::Document InvalidateEvent(Micros time, const std::string& token);

}  // namespace orrery::mongo
