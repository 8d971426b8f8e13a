// Precompiled for the folders above the gateway and for itself: most of what they read is its interface.
#pragma once

#include "common.h"

#include "gateway/gateway.h"
#include "model/document/json.h"
