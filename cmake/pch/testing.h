// Precompiled for test programs.
#pragma once

#include "common.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <future>
#include <random>
#include <thread>
