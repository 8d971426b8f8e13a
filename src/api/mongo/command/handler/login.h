// The steps of a login, which hello may begin and saslStart and saslContinue do.
#pragma once

#include "api/mongo/command/command_context.h"

namespace orrery::mongo {

// Begins a conversation by the arguments of saslStart; cheap. kMechanismUnavailable,
// kAuthenticationFailed.
CommandReply StartLogin(CommandContext& context, model::DocumentView arguments);
// Goes on with it; takes milliseconds.
CommandReply ContinueLogin(CommandContext& context, model::DocumentView arguments);

}  // namespace orrery::mongo
