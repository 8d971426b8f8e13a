// Cells: where on the earth a shape lies, in texts that an index can have.
//
//   cell := ("0" | "1" | "2" | "3")*     at most kCellLengthMax
//
// All longitudes and latitudes are the cell "". A cell is four smaller ones, with one character
// more: 0 south-west, 1 south-east, 2 north-west, 3 north-east. So the cells within a cell are
// those that begin with its text, and stand together in an index.
//
// An index has the cells that cover a shape's boxes (geo_box.h), of one length, a multiple of
// kCellLengthStep: the smallest of which no more than kCellsMax are needed. A point has one. Two
// shapes that meet have cells of which one is the other or within it. Cells are stored: neither
// they nor the bounds may change without a new kind of index.
//
// Pure.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/spatial/geometry.h"
#include "model/value.h"

namespace orrery::model {

inline constexpr size_t kCellLengthMax = 24;  // about 2 metres
inline constexpr size_t kCellLengthStep = 3;
inline constexpr size_t kCellsMax = 16;

// The values that an index has of a value of a document: texts, sorted. None for what is no
// GeoJSON object that has a place (geometry.h); the cell "" for one with too many positions.
std::vector<Value> IndexedCellsOf(const Value& value);
// The same of a geometry that was read in another way. REQUIRES: its positions are on the earth.
std::vector<Value> IndexedCellsOf(const Geometry& geometry);

// The ranges of cells that a query for shapes reads.
struct CellSearch {
  struct Run {
    std::string first;
    std::string last;  // all cells from the first to within the last
  };
  std::vector<Run> runs;           // rising and apart from each other
  std::vector<std::string> above;  // single cells around those of the runs; sorted, in no run
};

// Every shape that has a point no farther than so many metres from a point of the given one has a
// cell there. Nothing when that is the whole earth. REQUIRES: metres >= 0.
std::optional<CellSearch> CellsToFind(const Geometry& shape, double metres);

}  // namespace orrery::model
