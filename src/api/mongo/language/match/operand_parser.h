// Parses the operands of query operators that stand by themselves: $type, $size, $mod, the bit
// tests, $text and $near.
#pragma once

#include <cstdint>
#include <set>
#include <string>

#include "api/mongo/error/mongo_error.h"
#include "api/mongo/language/match/match_node.h"
#include "api/mongo/language/match/value_predicate.h"
#include "model/value.h"

namespace orrery::mongo {

// A test of one value by an operator. Returns nullptr for a name that is none of these.
Answer<ValuePredicatePtr> ParseValuePredicate(const std::string& name, const model::Value& value);

// {$type: "string"}, {$type: [2, "number"]}: the type bytes that pass. `name` is for error texts.
Answer<std::set<uint8_t>> ParseTypes(const std::string& name, const model::Value& value);

// A whole number of any numeric type; kFailedToParse otherwise.
Answer<int64_t> ExpectInteger(const std::string& name, const model::Value& value);
Answer<double> ExpectNumber(const std::string& name, const model::Value& value);

Answer<TextNode::Search> ParseTextSearch(const model::Value& value);
// `all` are the operators beside it: legacy pairs have $maxDistance there.
Answer<NearNode::Search> ParseNearSearch(const FieldPath& path, const std::string& name,
                                         const model::Value& value, const model::Fields& all);

Answer<MatchNodePtr> ParseJsonSchema(const model::Value& value, const QueryContext& context);

}  // namespace orrery::mongo
