// A KeyedSorter gives rows in the order of a value that belongs to each, equal ones as they were
// added. Beyond the context's memory for one stage they go to files, where the context has a place
// for them. Used by one thread at a time.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "api/mongo/error/mongo_error.h"
#include "api/mongo/language/query_context.h"
#include "api/mongo/language/row.h"
#include "model/value.h"
#include "query/operator/external_sort.h"

namespace orrery::mongo {

class KeyedSorter {
 public:
  struct Entry {
    model::Value key;
    Row row;
  };

  // `stage` is named in errors. The context must outlive it.
  KeyedSorter(std::string_view stage, const QueryContext& context)
      : stage_(stage), context_(context) {}

  // kQueryExceededMemoryLimitNoDiskUseAllowed when memory does not hold it and there are no files,
  // or the row has metadata, which has no place in a file.
  Outcome Add(model::Value key, Row row);
  Outcome Finish();
  // The next entry; nullopt at the end. REQUIRES: Finish was called.
  Answer<std::optional<Entry>> Next();

  size_t size() const { return size_; }

 private:
  Outcome AddToFiles(const Entry& entry);

  const std::string_view stage_;
  const QueryContext& context_;
  size_t size_ = 0;
  size_t bytes_ = 0;
  std::vector<Entry> entries_;
  size_t next_ = 0;
  std::optional<query::ExternalSort> files_;
};

}  // namespace orrery::mongo
