// StableSort orders a vector and keeps equal elements in their order.
//
// It stands for std::stable_sort, whose libstdc++ form uses a deprecated function.
#pragma once

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <utility>
#include <vector>

namespace orrery::mongo {

template <typename T, typename Less>
void StableSort(std::vector<T>& elements, const Less& less) {
  std::vector<size_t> order(elements.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    if (less(elements[a], elements[b])) return true;
    if (less(elements[b], elements[a])) return false;
    return a < b;
  });
  std::vector<T> sorted;
  sorted.reserve(elements.size());
  for (const size_t index : order) sorted.push_back(std::move(elements[index]));
  elements = std::move(sorted);
}

}  // namespace orrery::mongo
