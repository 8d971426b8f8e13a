// Documents, values, expressions and patches in messages between gateways.
//
//   document   := bytes                                      ; BSON
//   value      := document                                   ; {"": value}
//   path       := n:number step:bytes*n
//   expression := operator:number operand
//   operand    := value                                      ; of a literal
//               | path                                       ; of a reference
//               | n:number (name:bytes expression)*n         ; of an object
//               | n:number expression*n                      ; of all others
//   grouping   := n:number expression*n n:number (operator:number expression)*n   ; keys,
//   aggregates patch      := n:number (type:number path value from:path)*n
//
// Values travel as documents hold them; one of a kind that BSON lacks cannot come from or meet a
// document. Operators and patch types have their numbers in model/expression, aggregates have
// theirs in model/aggregate: never change one.
#pragma once

#include <string_view>
#include <vector>

#include "gateway/remote/message.h"
#include "model/aggregate/grouping.h"
#include "model/document/document.h"
#include "model/expression/expression.h"
#include "model/expression/patch.h"
#include "model/value.h"

namespace orrery::gateway {

void AppendValue(MessageWriter& out, const model::Value& value);
model::Value ReadValue(MessageReader& in);

void AppendPath(MessageWriter& out, const model::Path& path);
model::Path ReadPath(MessageReader& in);

void AppendExpression(MessageWriter& out, const model::Expression& expression);
// Beyond kExpressionDepthMax or kExpressionNodesMax the message is refused, as everything that is
// none.
model::Expression ReadExpression(MessageReader& in);

void AppendGrouping(MessageWriter& out, const model::Grouping& grouping);
// Beyond kGroupingPartsMax the message is refused, and as ReadExpression.
model::Grouping ReadGrouping(MessageReader& in);

void AppendPatch(MessageWriter& out, const std::vector<model::PatchOperation>& patch);
std::vector<model::PatchOperation> ReadPatch(MessageReader& in);

// Validates.
model::Document ReadDocument(MessageReader& in);

}  // namespace orrery::gateway
