#include "script/spidermonkey/to_script.h"

#include <js/Array.h>
#include <js/Date.h>
#include <js/JSON.h>
#include <js/MapAndSet.h>
#include <js/experimental/TypedData.h>
#include <js/friend/StackLimits.h>

#include <cstdlib>
#include <cstring>
#include <string>

#include "model/document/json.h"
#include "model/value_text.h"
#include "script/limits.h"
#include "script/spidermonkey/integer.h"
#include "script/spidermonkey/text.h"

namespace orrery::script {
namespace {

using model::Kind;
using model::Value;

constexpr int64_t kDateMillisMax = 8'640'000'000'000'000;  // ECMA-262, time values

class Writer {
 public:
  explicit Writer(JSContext* cx) : cx_(cx) {}

  bool Write(const Value& value, int depth, JS::MutableHandleValue out) {
    switch (value.kind()) {
      case Kind::kUndefined:
        out.setUndefined();
        return true;
      case Kind::kNull:
        out.setNull();
        return true;
      case Kind::kBool:
        out.setBoolean(value.AsBool());
        return true;
      case Kind::kInt8:
      case Kind::kInt16:
      case Kind::kInt32:
        out.setInt32(static_cast<int32_t>(value.AsInteger()));
        return true;
      case Kind::kInt64:
        return IntegerToScript(cx_, value.AsInteger(), out);
      case Kind::kVarint:
        return VarintToScript(cx_, value.AsBytes(), out);
      case Kind::kFloat:
      case Kind::kDouble:
        out.set(JS::CanonicalizedDoubleValue(value.AsDouble()));
        return true;
      case Kind::kString:
      case Kind::kAscii:
      case Kind::kSymbol:
        return WriteText(value.AsString(), out);
      case Kind::kBinary:
        return WriteBytes(value.AsBytes(), out);
      case Kind::kDateTime:
        return WriteDateTime(value.AsDateTime(), out);
      case Kind::kDecimal:
      case Kind::kDecimal128:
      case Kind::kUuid:
      case Kind::kTimeUuid:
      case Kind::kDate:
      case Kind::kTime:
      case Kind::kDuration:
      case Kind::kInet:
        return WriteText(model::ToText(value), out);
      case Kind::kObjectId:
      case Kind::kTimestamp:
      case Kind::kRegex:
      case Kind::kJavaScript:
      case Kind::kDbPointer:
      case Kind::kMinKey:
      case Kind::kMaxKey:
        return JsonToScript(cx_, model::ToJson(value), out);
      case Kind::kJavaScriptWithScope:
        return WriteScopedCode(value, depth, out);
      case Kind::kArray:
        return Deeper(depth) && WriteArray(value, depth, out);
      case Kind::kObject:
        return Deeper(depth) && WriteObject(value, depth, out);
      case Kind::kSet:
        return Deeper(depth) && WriteSet(value, depth, out);
      case Kind::kMap:
        return Deeper(depth) && WriteMap(value, depth, out);
    }
    out.setUndefined();
    return true;
  }

 private:
  bool Deeper(int depth) {
    js::AutoCheckRecursionLimit recursion(cx_);
    if (!recursion.check(cx_)) return false;
    if (depth < kValueDepthMax) return true;
    JS_ReportErrorASCII(cx_, "a value is nested deeper than %d levels", kValueDepthMax);
    return false;
  }

  // In the shape of its JSON, but with the scope's own values.
  bool WriteScopedCode(const Value& value, int depth, JS::MutableHandleValue out) {
    const model::ScopedCodeView code = value.AsScopedCode();
    model::Fields fields;
    fields.push_back({"$code", Value::String(std::string(code.code))});
    fields.push_back({"$scope", Value::Object(code.scope)});
    return Write(Value::Object(std::move(fields)), depth, out);
  }

  bool WriteText(std::string_view text, JS::MutableHandleValue out) {
    JSString* string = NewScriptString(cx_, text);
    if (string == nullptr) return false;
    out.setString(string);
    return true;
  }

  bool WriteBytes(const std::string& bytes, JS::MutableHandleValue out) {
    JS::RootedObject array(cx_, JS_NewUint8Array(cx_, bytes.size()));
    if (array == nullptr) return false;
    if (!bytes.empty()) {
      JS::AutoCheckCannotGC no_gc;
      bool shared = false;
      std::memcpy(JS_GetUint8ArrayData(array, &shared, no_gc), bytes.data(), bytes.size());
    }
    out.setObject(*array);
    return true;
  }

  // Beyond what a Date can hold the milliseconds stay a whole number.
  bool WriteDateTime(int64_t unix_ms, JS::MutableHandleValue out) {
    if (unix_ms < -kDateMillisMax || unix_ms > kDateMillisMax) {
      return IntegerToScript(cx_, unix_ms, out);
    }
    JSObject* date = JS::NewDateObject(cx_, JS::TimeClip(static_cast<double>(unix_ms)));
    if (date == nullptr) return false;
    out.setObject(*date);
    return true;
  }

  bool WriteArray(const Value& value, int depth, JS::MutableHandleValue out) {
    JS::RootedValueVector elements(cx_);
    if (!elements.resize(value.AsValues().size())) return false;
    size_t i = 0;
    for (const Value& element : value.AsValues()) {
      if (!Write(element, depth + 1, elements[i++])) return false;
    }
    JSObject* array = JS::NewArrayObject(cx_, elements);
    if (array == nullptr) return false;
    out.setObject(*array);
    return true;
  }

  // Defined, not assigned: a field named __proto__ is a field.
  bool WriteObject(const Value& value, int depth, JS::MutableHandleValue out) {
    JS::RootedObject object(cx_, JS_NewPlainObject(cx_));
    if (object == nullptr) return false;
    JS::RootedString name(cx_);
    JS::RootedId id(cx_);
    JS::RootedValue field(cx_);
    for (const model::Field& each : value.AsFields()) {
      name = NewScriptString(cx_, each.name);
      if (name == nullptr || !JS_StringToId(cx_, name, &id) ||
          !Write(each.value, depth + 1, &field) ||
          !JS_DefinePropertyById(cx_, object, id, field, JSPROP_ENUMERATE)) {
        return false;
      }
    }
    out.setObject(*object);
    return true;
  }

  bool WriteSet(const Value& value, int depth, JS::MutableHandleValue out) {
    JS::RootedObject set(cx_, JS::NewSetObject(cx_));
    if (set == nullptr) return false;
    JS::RootedValue element(cx_);
    for (const Value& each : value.AsValues()) {
      if (!Write(each, depth + 1, &element) || !JS::SetAdd(cx_, set, element)) return false;
    }
    out.setObject(*set);
    return true;
  }

  bool WriteMap(const Value& value, int depth, JS::MutableHandleValue out) {
    JS::RootedObject map(cx_, JS::NewMapObject(cx_));
    if (map == nullptr) return false;
    JS::RootedValue key(cx_);
    JS::RootedValue element(cx_);
    for (const model::MapEntry& entry : value.AsEntries()) {
      if (!Write(entry.key, depth + 1, &key) || !Write(entry.value, depth + 1, &element) ||
          !JS::MapSet(cx_, map, key, element)) {
        return false;
      }
    }
    out.setObject(*map);
    return true;
  }

  JSContext* const cx_;
};

}  // namespace

bool ToScript(JSContext* cx, const Value& value, JS::MutableHandleValue out) {
  return Writer(cx).Write(value, 0, out);
}

bool JsonToScript(JSContext* cx, std::string_view json, JS::MutableHandleValue out) {
  JS::RootedString text(cx, NewScriptString(cx, json));
  return text != nullptr && JS_ParseJSON(cx, text, out);
}

bool ToScript(JSContext* cx, const Datum& datum, JS::MutableHandleValue out) {
  if (const auto* json = std::get_if<Json>(&datum)) return JsonToScript(cx, json->text, out);
  return ToScript(cx, std::get<Value>(datum), out);
}

}  // namespace orrery::script
