// The continuation of a query over the whole container, as its header has it.
//
//   text := {"token":"..","range":{"min":"","max":"FF"}}
//
// is what gateways of Azure Cosmos DB write, and some clients take apart; of one range or one
// partition key they write the token alone. Both forms are read everywhere. Pure.
#pragma once

#include <string>
#include <string_view>

namespace orrery::sql {

// Empty for an empty token, as there is no more to ask for.
std::string WholeContinuation(std::string_view token);
// The token of either form. A text that is neither is its own token, which the engine refuses.
std::string TokenOfContinuation(std::string_view text);

}  // namespace orrery::sql
