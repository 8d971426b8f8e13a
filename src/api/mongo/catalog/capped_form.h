// The form of capped collections: collections that keep the order in which documents were inserted,
// and have room for so many bytes and documents. The oldest make room for new ones.
//
// A stored document begins with its number in that order, in a field that clients never see, and an
// index over that field is the natural order. Its row key is `_id`, as everywhere. What a
// collection holds is kept beside the documents (executor/write/capped_ring.h).
#pragma once

#include <cstdint>
#include <string_view>

#include "api/mongo/catalog/collection.h"
#include "gateway/catalog/container_settings.h"
#include "model/document/document.h"

namespace orrery::mongo {

inline constexpr std::string_view kSequenceField = "$sequence";
// The id of the index over it: new collections number their other indexes from the next one on.
inline constexpr uint32_t kSequenceIndexId = 1;
// The bytes that the field adds to a document.
inline constexpr size_t kSequenceBytes = 1 + kSequenceField.size() + 1 + 8;

struct CappedLimits {
  int64_t bytes_max = 0;
  int64_t documents_max = INT64_MAX;
};

// Returns whether options are those of a capped collection.
bool AreCapped(model::DocumentView options);
// REQUIRES: they are.
CappedLimits CappedLimitsOf(model::DocumentView options);

// Of create and collMod: the kept form of a size in bytes, which is a multiple of 256.
int64_t RoundedCappedSize(int64_t bytes);
// The kept form of a maximal number of documents: none is the greatest.
int64_t KeptCappedMax(int64_t documents);

// The index over the numbers.
item::NamedIndex SequenceIndex();

// The number of a stored document; 0 if it has none.
int64_t SequenceOf(model::DocumentView stored);
// The stored form of a document as clients see it.
model::Document WithSequence(model::DocumentView document, int64_t sequence);

}  // namespace orrery::mongo
