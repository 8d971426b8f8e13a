// Precompiled for test programs of the gateway and of the folders above it.
#pragma once

#include "gateway.h"
#include "testing_std.h"
