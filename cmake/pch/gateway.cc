#include "gateway.h"
