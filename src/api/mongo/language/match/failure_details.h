// Says why a document does not match a filter, in the form that MongoDB answers a document with
// that fails validation: {operatorName, specifiedAs, reason, consideredValue, ...}, and of
// $jsonSchema each rule that is not satisfied.
//
// Made of the filter as it was written, clause by clause: for errors, not for every document. Pure.
#pragma once

#include <vector>

#include "api/mongo/language/query_context.h"
#include "model/document/document.h"
#include "model/value.h"

namespace orrery::mongo {

// REQUIRES: the document does not match the filter, which is one that can be parsed.
model::Value FailureDetails(const model::Fields& filter, model::DocumentView document,
                            const QueryContextPtr& context);

// The rules of a schema that a value does not satisfy; none if it satisfies all.
std::vector<model::Value> FailedSchemaRules(const model::Value& schema, const model::Value& value,
                                            const QueryContextPtr& context);

}  // namespace orrery::mongo
