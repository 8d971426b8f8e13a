// A LookupBatch joins rows with documents by value, many rows at a time.
//
// A join that asks for the documents of each row by itself makes as many look-ups as there are
// rows, and as many full scans where no index serves. A LookupBatch gathers the values that a batch
// of rows joins by, each once. Its user reads all documents that have one of them in one look-up,
// and the batch tells which documents each row joins with, in the order they were read:
//
//   LookupBatch batch(compare);
//   for (row : rows) batch.AddRow(values that the row joins by);
//   for (document : documents with one of batch.values()) batch.AddDocument(its values);
//   for (row : rows) use(batch.DocumentsOf(row));
//
// `compare` is a total order under the rules of the API's language; values that it calls equal
// join. A document that meets several values of a row is joined with it once.
//
// Pure. Used by one thread at a time.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <vector>

#include "model/value.h"

namespace orrery::query {

class LookupBatch {
 public:
  using Compare = std::function<std::weak_ordering(const model::Value&, const model::Value&)>;

  explicit LookupBatch(Compare compare);

  // Adds the next row. One without values joins with nothing.
  void AddRow(std::span<const model::Value> values);
  // Returns the values that rows join by, each once, in their order.
  model::Values values() const;
  // Adds the next document, which has these values where it is joined. Returns whether any row
  // joins with it; one that none does is not counted.
  bool AddDocument(std::span<const model::Value> values);

  size_t rows() const { return documents_of_.size(); }
  // Returns the numbers of the row's documents, rising: 0 for the first that was counted.
  // REQUIRES: row < rows().
  std::span<const uint32_t> DocumentsOf(size_t row) const { return documents_of_[row]; }

 private:
  struct Less {
    bool operator()(const model::Value& a, const model::Value& b) const {
      return compare(a, b) < 0;
    }
    Compare compare;
  };

  std::map<model::Value, std::vector<uint32_t>, Less> rows_of_;  // by value
  std::vector<std::vector<uint32_t>> documents_of_;              // by row
  uint32_t documents_ = 0;
};

}  // namespace orrery::query
