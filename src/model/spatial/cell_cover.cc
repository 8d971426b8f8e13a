#include "model/spatial/cell_cover.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <set>
#include <string_view>

#include "model/spatial/geo_box.h"

namespace orrery::model {
namespace {

// Cells of one length are numbered as their texts are ordered: two bits for each character.
using CellNumber = uint64_t;

// The column or row of the smallest cells.
uint64_t PlaceOn(double degrees, double first, double width) {
  constexpr double kPlaces = uint64_t{1} << kCellLengthMax;
  const double place = std::floor((degrees - first) / width * kPlaces);
  return static_cast<uint64_t>(std::clamp(place, 0.0, kPlaces - 1));
}

struct Grid {
  uint64_t west, south, east, north;

  explicit Grid(const GeoBox& box)
      : west(PlaceOn(box.west, -180, 360)),
        south(PlaceOn(box.south, -90, 180)),
        east(PlaceOn(box.east, -180, 360)),
        north(PlaceOn(box.north, -90, 180)) {}

  Grid At(size_t length) const {
    Grid grid = *this;
    for (uint64_t* place : {&grid.west, &grid.south, &grid.east, &grid.north})
      *place >>= kCellLengthMax - length;
    return grid;
  }
  uint64_t count() const { return (east - west + 1) * (north - south + 1); }
};

CellNumber NumberOf(uint64_t column, uint64_t row, size_t length) {
  CellNumber number = 0;
  for (size_t bit = length; bit-- > 0;)
    number = number << 2 | (row >> bit & 1) << 1 | (column >> bit & 1);
  return number;
}

std::string TextOf(CellNumber number, size_t length) {
  std::string text(length, '0');
  for (size_t i = length; i-- > 0; number >>= 2) text[i] = static_cast<char>('0' + (number & 3));
  return text;
}

// Nothing when there are more than kCellsMax.
std::optional<std::set<CellNumber>> NumbersAt(const std::vector<Grid>& grids, size_t length) {
  std::set<CellNumber> numbers;
  for (const Grid& whole : grids) {
    const Grid grid = whole.At(length);
    if (grid.count() > kCellsMax) return std::nullopt;
    for (uint64_t row = grid.south; row <= grid.north; ++row) {
      for (uint64_t column = grid.west; column <= grid.east; ++column)
        numbers.insert(NumberOf(column, row, length));
    }
    if (numbers.size() > kCellsMax) return std::nullopt;
  }
  return numbers;
}

struct Cover {
  std::set<CellNumber> numbers = {0};
  size_t length = 0;
};

// Of the smallest cells, with a length that is a multiple of `step`.
Cover CoverOf(const std::vector<GeoBox>& boxes, size_t step) {
  std::vector<Grid> grids;
  for (const GeoBox& box : boxes) grids.emplace_back(box);
  for (size_t length = kCellLengthMax; length > 0; length -= step)
    if (auto numbers = NumbersAt(grids, length)) return {*std::move(numbers), length};
  return {};
}

}  // namespace

std::vector<Value> IndexedCellsOf(const Value& value) {
  const auto shape = ReadGeometry(value);
  if (!shape.has_value()) {
    if (shape.error().code() == Code::kTooLarge) return {Value::String("")};
    return {};
  }
  return IndexedCellsOf(*shape);
}

std::vector<Value> IndexedCellsOf(const Geometry& geometry) {
  const Cover cover = CoverOf(BoxesOf(geometry), kCellLengthStep);
  std::vector<Value> cells;
  for (const CellNumber number : cover.numbers)
    cells.push_back(Value::String(TextOf(number, cover.length)));
  return cells;
}

std::optional<CellSearch> CellsToFind(const Geometry& shape, double metres) {
  const std::vector<GeoBox> boxes = BoxesAround(shape, metres);
  if (std::ranges::any_of(boxes, &GeoBox::is_whole)) return std::nullopt;
  const Cover cover = CoverOf(boxes, 1);
  if (cover.length == 0) return std::nullopt;
  CellSearch search;
  std::set<std::string> above;
  std::optional<CellNumber> former;
  for (const CellNumber number : cover.numbers) {
    const std::string cell = TextOf(number, cover.length);
    if (former.has_value() && *former + 1 == number) {
      search.runs.back().last = cell;
    } else {
      search.runs.push_back({cell, cell});
    }
    former = number;
    for (size_t length = 0; length < cover.length; length += kCellLengthStep)
      above.insert(cell.substr(0, length));
  }
  // A cell that begins like the last of a run, but for its end, may stand within that run.
  for (const std::string& cell : above) {
    const auto is_in = [&](const CellSearch::Run& run) {
      return cell > run.first && cell < run.last;
    };
    if (std::ranges::none_of(search.runs, is_in)) search.above.push_back(cell);
  }
  return search;
}

}  // namespace orrery::model
