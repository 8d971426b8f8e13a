// Time series and clustered collections: what create and collMod say of them.
//
// Both are collections like others. All are clustered by `_id` here; documents of a time series
// have a date at one field, by which they may expire.
#pragma once

#include <optional>
#include <string>

#include "api/mongo/catalog/collection.h"
#include "api/mongo/error/mongo_error.h"
#include "model/document/document.h"

namespace orrery::mongo {

// The option `timeseries` as it is kept: {timeField, metaField, granularity, bucketMaxSpanSeconds}.
Answer<model::Document> ReadTimeSeries(const model::ElementView& given, const Namespace& name);
// The same with what collMod changes.
Answer<model::Document> ChangeTimeSeries(model::DocumentView kept, model::DocumentView changes);
// The option `clusteredIndex` as it is kept: {v, key, name, unique}.
Answer<model::Document> ReadClusteredIndex(const model::ElementView& given);
// Returns the reason against the option `timeseries` of create, and expireAfterSeconds.
Outcome CheckTimeSeriesOptions(model::DocumentView options, const Namespace& name);

bool IsTimeSeries(const Collection& collection);
// kBadValue for a document of a time series without a date at its field.
Outcome CheckTime(const Collection& collection, model::DocumentView document);

// Documents expire so many seconds after the date at a field.
struct ExpiryRule {
  std::string field;
  int64_t seconds = 0;
};
std::optional<ExpiryRule> ExpiryOf(const Collection& collection);

// The index of `_id` as listIndexes shows it.
model::Document IdIndexOf(const Collection& collection);

}  // namespace orrery::mongo
