// RunLimits bound how much one query may ask of the server. What is past one of these ends the
// query with kTooLarge, but for those of a page, which end the page.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>

#include "base/request_units.h"

namespace orrery::query {

struct RunLimits {
  // Rows that joins make of one document, or of one evaluation of a subquery.
  uint64_t rows_per_document_max = 1'000'000;
  // Limits of what a query keeps in memory: groups, distinct values, rows to be sorted.
  size_t groups_max = 100'000;
  size_t distinct_max = 1'000'000;
  size_t sorted_rows_max = 200'000;
  size_t kept_bytes_max = size_t{64} << 20;
  // Rows that are made for later pages, of one query.
  size_t ahead_bytes_max = size_t{16} << 20;
  // Of a page: rows when the client does not say how many, and the most that it may say.
  size_t page_rows_default = 1'000;
  size_t page_rows_max = 10'000;
  size_t page_bytes_max = size_t{4} << 20;
  // Documents that a page may examine before it is cut short, where it can be.
  size_t examined_max = 50'000;
  // The time of a page before it is cut short, where it can be.
  std::chrono::milliseconds page_time_max{5'000};
  // The cost of a page that cannot be cut short before its reads are throttled like others: until
  // then partitions go into debt, as all that was read would be lost and read again.
  RequestUnits debt_max = RequestUnits::Whole(20'000);
};

}  // namespace orrery::query
