#include "gateway_testing.h"
