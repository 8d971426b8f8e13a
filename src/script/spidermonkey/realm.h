// Realms: the worlds of builtins that scripts run in.
//
// A frozen realm is shared by all calls of one domain's functions; nothing in it can be changed, so
// no call can see that another was there. A fresh realm belongs to one run, may be changed at
// will (undeclared variables and all), and goes with it.
#pragma once

#include <jsapi.h>

#include "script/spidermonkey/context.h"

namespace orrery::script {

// nullptr with an exception pending.
JSObject* NewFrozenRealm(Context& context);
JSObject* NewFreshRealm(Context& context);

}  // namespace orrery::script
