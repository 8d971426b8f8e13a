// Writes rows of a query as the JSON that clients get. It differs from model::ToJson in the numbers
// that JSON cannot write: NaN, Infinity and -Infinity are strings, as Cosmos DB has them.
#pragma once

#include <string>
#include <vector>

#include "model/value.h"
#include "query/run/page_run.h"

namespace orrery::sql {

std::string RowJson(const model::Value& row);

// The rows of a page, each as JSON.
class JsonRows final : public query::RowWriter {
 public:
  size_t Write(const model::Value& row) override {
    rows.push_back(RowJson(row));
    return rows.back().size();
  }

  std::vector<std::string> rows;
};

}  // namespace orrery::sql
