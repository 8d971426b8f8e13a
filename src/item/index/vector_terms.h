// Makes the terms that a vector index has of a document: its vector, for exact comparison, and in a
// sketched index also its sketch, for a search that reads few vectors. Pure.
//
//   value   := 01             ; in ring order; payload: the vector (model/vector/vector_code.h)
//            | 02 sketch      ; in the order of sketches (model/vector/vector_sketch.h); no payload
//
// Both follow from the document and the index alone, so that an index of vectors is written, built,
// split, merged and checked as all others are (docs/decisions/0018-vector-indexes.md).
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "item/index/index_terms.h"

namespace orrery::item {

inline constexpr std::string_view kVectorValue("\x01", 1);
inline constexpr std::string_view kSketchValue("\x02", 1);  // begins so

// REQUIRES: the vector has the index's dimensions.
std::vector<IndexTerm> VectorTermsOf(const NamedIndex& index, std::span<const double> vector);

}  // namespace orrery::item
