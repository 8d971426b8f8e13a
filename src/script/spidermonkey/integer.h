// Whole numbers across the border: a Number while it is exact there (|n| < 2^53), else a BigInt.
#pragma once

#include <jsapi.h>

#include <cstdint>
#include <string_view>

#include "model/value.h"

namespace orrery::script {

// False with an exception pending.
bool IntegerToScript(JSContext* cx, int64_t number, JS::MutableHandleValue out);
// `bytes` as model::Value::Varint has them.
bool VarintToScript(JSContext* cx, std::string_view bytes, JS::MutableHandleValue out);

// An int64 where it fits, else a varint. False with an exception pending.
bool BigIntFromScript(JSContext* cx, JS::Handle<JS::BigInt*> number, model::Value& out);

}  // namespace orrery::script
