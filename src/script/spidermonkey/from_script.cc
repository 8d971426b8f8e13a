#include "script/spidermonkey/from_script.h"

#include <js/Array.h>
#include <js/ArrayBuffer.h>
#include <js/Date.h>
#include <js/ForOfIterator.h>
#include <js/JSON.h>
#include <js/MapAndSet.h>
#include <js/Object.h>
#include <js/experimental/TypedData.h>
#include <js/friend/StackLimits.h>
#include <jsfriendapi.h>

#include <cmath>
#include <cstring>
#include <string_view>
#include <utility>

#include "model/number/number.h"
#include "script/limits.h"
#include "script/spidermonkey/integer.h"
#include "script/spidermonkey/text.h"

namespace orrery::script {
namespace {

using model::Value;

class Reader {
 public:
  Reader(JSContext* cx, OutputBudget& budget) : cx_(cx), budget_(budget) {}

  bool Read(JS::HandleValue from, int depth, Value& out) {
    if (!Spend(kValueBytes)) return false;
    if (from.isObject()) return ReadObject(from, depth, out);
    if (from.isString()) return ReadText(from.toString(), out);
    if (from.isBigInt()) {
      JS::Rooted<JS::BigInt*> number(cx_, from.toBigInt());
      return BigIntFromScript(cx_, number, out);
    }
    if (from.isNull()) {
      out = Value::Null();
    } else if (from.isBoolean()) {
      out = Value::Bool(from.toBoolean());
    } else if (from.isInt32()) {
      out = Value::Int32(from.toInt32());
    } else if (from.isDouble()) {
      out = FromDouble(from.toDouble());
    } else {
      out = Value::Undefined();  // symbols too, as JSON has it
    }
    return true;
  }

 private:
  // A negative zero is no whole number: int32 cannot tell it from zero.
  static Value FromDouble(double number) {
    if (number == 0 && std::signbit(number)) return Value::Double(number);
    return model::NumberFromDouble(number);
  }

  bool Exceeded(const char* what) {
    budget_.exceeded = true;
    JS_ReportErrorASCII(cx_, "%s", what);
    return false;
  }

  bool Spend(size_t bytes) {
    if (bytes > budget_.bytes_left) return Exceeded("the result is too large");
    budget_.bytes_left -= bytes;
    return true;
  }

  bool ReadText(JSString* string, Value& out) {
    // Before flattening, which can be what costs the memory.
    if (Utf8BytesMin(string) > budget_.bytes_left) return Exceeded("the result is too large");
    std::string text;
    if (!AppendUtf8(cx_, string, text) || !Spend(text.size())) return false;
    out = Value::String(std::move(text));
    return true;
  }

  bool ReadObject(JS::HandleValue from, int depth, Value& out) {
    js::AutoCheckRecursionLimit recursion(cx_);
    if (!recursion.check(cx_)) return false;
    if (depth >= kValueDepthMax) return Exceeded("the result is nested too deeply or in a circle");
    JS::RootedObject object(cx_, &from.toObject());
    if (JS::IsCallable(object)) {
      out = Value::Undefined();
      return true;
    }
    if (JS_IsArrayBufferViewObject(object)) return ReadView(object, depth, out);
    bool is_array = false;  // also of a proxy for one
    if (!JS::IsArray(cx_, object, &is_array)) return false;
    if (is_array) return ReadArray(object, depth, out);
    js::ESClass kind = js::ESClass::Other;
    if (!JS::GetBuiltinClass(cx_, object, &kind)) return false;
    switch (kind) {
      case js::ESClass::Set:
        return ReadSet(object, depth, out);
      case js::ESClass::Map:
        return ReadMap(object, depth, out);
      case js::ESClass::Date:
        return ReadDate(object, out);
      case js::ESClass::ArrayBuffer:
        return ReadBuffer(object, out);
      case js::ESClass::Number:
      case js::ESClass::String:
      case js::ESClass::Boolean:
      case js::ESClass::BigInt: {
        JS::RootedValue primitive(cx_);
        if (!JS_CallFunctionName(cx_, object, "valueOf", JS::HandleValueArray::empty(),
                                 &primitive)) {
          return false;
        }
        return primitive.isObject() ? ReadFields(object, depth, out) : Read(primitive, depth, out);
      }
      default:
        return ReadFields(object, depth, out);
    }
  }

  bool ReadArray(JS::HandleObject object, int depth, Value& out) {
    uint32_t length = 0;
    if (!JS::GetArrayLength(cx_, object, &length)) return false;
    return ReadElements(object, length, depth, out);
  }

  bool ReadElements(JS::HandleObject object, size_t length, int depth, Value& out) {
    // Refused before the first element, so that a sparse array of 2^32 costs nothing.
    if (length > budget_.bytes_left / kValueBytes) return Exceeded("the result is too large");
    model::Values values;
    values.reserve(length);
    JS::RootedValue element(cx_);
    for (size_t i = 0; i < length; ++i) {
      if (!JS_GetElement(cx_, object, static_cast<uint32_t>(i), &element) ||
          !Read(element, depth + 1, values.emplace_back())) {
        return false;
      }
    }
    out = Value::Array(std::move(values));
    return true;
  }

  bool ReadSet(JS::HandleObject object, int depth, Value& out) {
    model::Values values;
    JS::RootedValue iterable(cx_);
    if (!JS::SetValues(cx_, object, &iterable)) return false;
    JS::ForOfIterator iterator(cx_);
    if (!iterator.init(iterable)) return false;
    JS::RootedValue element(cx_);
    for (bool done = false;;) {
      if (!iterator.next(&element, &done)) return false;
      if (done) break;
      if (!Read(element, depth + 1, values.emplace_back())) return false;
    }
    out = Value::Set(std::move(values));
    return true;
  }

  bool ReadMap(JS::HandleObject object, int depth, Value& out) {
    model::MapEntries entries;
    JS::RootedValue iterable(cx_);
    if (!JS::MapEntries(cx_, object, &iterable)) return false;
    JS::ForOfIterator iterator(cx_);
    if (!iterator.init(iterable)) return false;
    JS::RootedValue pair(cx_);
    JS::RootedObject pair_object(cx_);
    JS::RootedValue part(cx_);
    for (bool done = false;;) {
      if (!iterator.next(&pair, &done)) return false;
      if (done) break;
      // A script can replace the iterator's next(): anything may come.
      if (!pair.isObject()) return Exceeded("a map gave an entry that is no pair");
      pair_object = &pair.toObject();
      model::MapEntry& entry = entries.emplace_back();
      if (!JS_GetElement(cx_, pair_object, 0, &part) || !Read(part, depth + 1, entry.key) ||
          !JS_GetElement(cx_, pair_object, 1, &part) || !Read(part, depth + 1, entry.value)) {
        return false;
      }
    }
    out = Value::Map(std::move(entries));
    return true;
  }

  // An invalid date is null, as in JSON.
  bool ReadDate(JS::HandleObject object, Value& out) {
    double number = 0;
    if (!js::DateGetMsecSinceEpoch(cx_, object, &number)) return false;
    out = std::isfinite(number) ? Value::DateTime(static_cast<int64_t>(number)) : Value::Null();
    return true;
  }

  bool ReadBytes(const void* data, size_t size, Value& out) {
    if (!Spend(size)) return false;
    out = Value::Binary(std::string(static_cast<const char*>(data), size));
    return true;
  }

  bool ReadBuffer(JSObject* object, Value& out) {
    size_t size = 0;
    bool shared = false;
    uint8_t* data = nullptr;
    JS::GetArrayBufferLengthAndData(object, &size, &shared, &data);
    return ReadBytes(data, size, out);
  }

  bool ReadView(JS::HandleObject object, int depth, Value& out) {
    switch (JS_GetArrayBufferViewType(object)) {
      case JS::Scalar::Uint8:
      case JS::Scalar::Uint8Clamped:
      case JS::Scalar::MaxTypedArrayViewType: {  // a DataView
        const size_t size = JS_GetArrayBufferViewByteLength(object);
        if (size > budget_.bytes_left) return Exceeded("the result is too large");
        std::string bytes(size, '\0');
        {
          JS::AutoCheckCannotGC no_gc;
          bool shared = false;
          const void* data = JS_GetArrayBufferViewData(object, &shared, no_gc);
          if (size > 0) std::memcpy(bytes.data(), data, size);
        }
        if (!Spend(size)) return false;
        out = Value::Binary(std::move(bytes));
        return true;
      }
      default:
        return ReadElements(object, JS_GetTypedArrayLength(object), depth, out);
    }
  }

  // Own enumerable fields that hold something, as JSON has them.
  bool ReadFields(JS::HandleObject object, int depth, Value& out) {
    JS::Rooted<JS::IdVector> ids(cx_, JS::IdVector(cx_));
    if (!JS_Enumerate(cx_, object, &ids)) return false;
    model::Fields fields;
    JS::RootedValue name(cx_);
    JS::RootedValue field(cx_);
    JS::RootedString text(cx_);
    for (size_t i = 0; i < ids.length(); ++i) {
      model::Field read;
      if (!JS_IdToValue(cx_, ids[i], &name)) return false;
      text = JS::ToString(cx_, name);
      if (text == nullptr || !AppendUtf8(cx_, text, read.name) || !Spend(read.name.size()) ||
          !JS_GetPropertyById(cx_, object, ids[i], &field) || !Read(field, depth + 1, read.value)) {
        return false;
      }
      if (!read.value.is_undefined()) fields.push_back(std::move(read));
    }
    out = Value::Object(std::move(fields));
    return true;
  }

  JSContext* const cx_;
  OutputBudget& budget_;
};

// JSON.stringify escapes lone surrogates, and no other characters above 001f.
void ReplaceEscapedSurrogates(std::u16string& json) {
  constexpr size_t kEscapeLength = 6;
  size_t to = 0;
  for (size_t from = 0; from < json.size();) {
    const bool escape = json[from] == u'\\';
    if (escape && json.compare(from + 1, 2, u"ud") == 0) {
      json[to++] = u'\ufffd';
      from += kEscapeLength;
      continue;
    }
    json[to++] = json[from++];
    if (escape) json[to++] = json[from++];  // a backslash escaped begins nothing
  }
  json.resize(to);
}

}  // namespace

bool FromScript(JSContext* cx, JS::HandleValue from, OutputBudget& budget, Value& out) {
  return Reader(cx, budget).Read(from, 0, out);
}

bool JsonFromScript(JSContext* cx, JS::HandleValue from, OutputBudget& budget, std::string& out) {
  std::u16string text;
  JS::RootedValue value(cx, from);
  const auto append = [](const char16_t* chars, uint32_t length, void* argument) {
    static_cast<std::u16string*>(argument)->append(chars, length);
    return true;
  };
  if (!JS_Stringify(cx, &value, nullptr, JS::NullHandleValue, append, &text)) return false;
  ReplaceEscapedSurrogates(text);
  AppendUtf8(text, out);
  if (out.size() > budget.bytes_left) {
    budget.exceeded = true;
    JS_ReportErrorASCII(cx, "the result is too large");
    return false;
  }
  budget.bytes_left -= out.size();
  return true;
}

bool FromScript(JSContext* cx, JS::HandleValue from, DatumForm form, OutputBudget& budget,
                Datum& out) {
  if (form == DatumForm::kJson) {
    return JsonFromScript(cx, from, budget, out.emplace<Json>().text);
  }
  return FromScript(cx, from, budget, out.emplace<Value>());
}

}  // namespace orrery::script
