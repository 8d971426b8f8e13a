// A Row is a document on its way through a query, with what is known of it beside its fields.
#pragma once

#include <memory>
#include <optional>

#include "api/mongo/error/mongo_error.h"
#include "model/document/document.h"
#include "model/value.h"

namespace orrery::mongo {

// The metadata that {$meta: ...} asks for.
struct RowMeta {
  std::optional<double> text_score = {};
  std::optional<double> geo_distance = {};
  std::optional<model::Value> geo_point = {};
  std::optional<model::Value> sort_key = {};
  std::optional<model::Value> record_id = {};
  std::optional<model::Value> index_key = {};
};

struct Row {
  model::Document document;
  std::shared_ptr<const RowMeta> meta = nullptr;
};

// A RowSource hands out rows one after the other. Not thread-safe.
class RowSource {
 public:
  virtual ~RowSource() = default;
  // Returns nullopt at the end, and from then on.
  virtual Answer<std::optional<Row>> Next() = 0;
};

}  // namespace orrery::mongo
