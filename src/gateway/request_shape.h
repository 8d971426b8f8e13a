// A request shape is a hash of what a scan or feed asks for: a continuation made for one question
// does not answer another. Page limits, parallelism and session are no part of the question. Pure.
#pragma once

#include <cstdint>
#include <string_view>

#include "gateway/requests.h"

namespace orrery::gateway {

// `encoded_key`: of spec.partition_key, empty without one.
uint64_t ShapeOf(const ScanSpec& spec, std::string_view encoded_key);
uint64_t ShapeOf(const FeedSpec& spec, std::string_view encoded_key);

}  // namespace orrery::gateway
