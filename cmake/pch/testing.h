// Precompiled for test programs.
#pragma once

#include "common.h"
#include "testing_std.h"
