// Precompiled for `cli`: each verb reads CLI11, which is one large header.
#pragma once

#include "gateway.h"

#include <CLI/CLI.hpp>
