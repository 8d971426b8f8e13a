#include "model/document/document.h"

#include <bit>
#include <cstring>

#include "base/check.h"
#include "model/document/bson_type.h"
#include "model/document/bson_validator.h"

namespace orrery::model {
namespace {

static_assert(std::endian::native == std::endian::little, "BSON is little-endian");

constexpr std::string_view kEmptyBson("\x05\x00\x00\x00\x00", 5);

template <typename T>
T Load(const char* at) {
  T value;
  std::memcpy(&value, at, sizeof(T));
  return value;
}

// REQUIRES: valid BSON at `at`.
size_t PayloadSize(uint8_t type, const char* at) {
  switch (type) {
    case kBsonString:
    case kBsonJavaScript:
    case kBsonSymbol:
      return 4 + Load<uint32_t>(at);
    case kBsonObject:
    case kBsonArray:
    case kBsonJavaScriptWithScope:
      return Load<uint32_t>(at);
    case kBsonBinary:
      return 5 + size_t{Load<uint32_t>(at)};
    case kBsonObjectId:
      return 12;
    case kBsonBool:
      return 1;
    case kBsonRegex: {
      const size_t pattern = std::strlen(at) + 1;
      return pattern + std::strlen(at + pattern) + 1;
    }
    case kBsonDbPointer:
      return 4 + size_t{Load<uint32_t>(at)} + 12;
    case kBsonInt32:
      return 4;
    case kBsonDouble:
    case kBsonDateTime:
    case kBsonTimestamp:
    case kBsonInt64:
      return 8;
    case kBsonDecimal128:
      return 16;
    default:
      return 0;
  }
}

// A length, the text, a NUL.
std::string_view TextAt(const char* at) { return {at + 4, Load<uint32_t>(at) - size_t{1}}; }

DocumentView DocumentAt(const char* at) { return DocumentView::Trusted({at, Load<uint32_t>(at)}); }

ObjectIdBytes ObjectIdAt(const char* at) {
  ObjectIdBytes id;
  std::memcpy(id.data(), at, id.size());
  return id;
}

}  // namespace

Kind ElementView::kind() const { return KindOfBsonType(bson_type_).value_or(Kind::kUndefined); }

bool ElementView::AsBool() const {
  ORRERY_CHECK(bson_type_ == kBsonBool);
  return payload_[0] != 0;
}

int64_t ElementView::AsInteger() const {
  if (bson_type_ == kBsonInt32) return Load<int32_t>(payload_.data());
  ORRERY_CHECK(bson_type_ == kBsonInt64);
  return Load<int64_t>(payload_.data());
}

double ElementView::AsDouble() const {
  ORRERY_CHECK(bson_type_ == kBsonDouble);
  return Load<double>(payload_.data());
}

std::string_view ElementView::AsString() const {
  ORRERY_CHECK(bson_type_ == kBsonString || bson_type_ == kBsonSymbol ||
               bson_type_ == kBsonJavaScript);
  return TextAt(payload_.data());
}

DocumentView ElementView::AsDocument() const {
  ORRERY_CHECK(bson_type_ == kBsonObject || bson_type_ == kBsonArray);
  return DocumentView::Trusted(payload_);
}

Value ElementView::ToValue() const {
  const char* at = payload_.data();
  switch (bson_type_) {
    case kBsonDouble:
      return Value::Double(AsDouble());
    case kBsonString:
      return Value::String(std::string(AsString()));
    case kBsonObject:
      return AsDocument().ToObject();
    case kBsonArray:
      return AsDocument().ToArray();
    case kBsonBinary:
      return Value::Binary(std::string(payload_.substr(5)), static_cast<uint8_t>(at[4]));
    case kBsonObjectId:
      return Value::ObjectId(ObjectIdAt(at));
    case kBsonBool:
      return Value::Bool(AsBool());
    case kBsonDateTime:
      return Value::DateTime(Load<int64_t>(at));
    case kBsonNull:
      return Value::Null();
    case kBsonRegex:
      return Value::Regex(at, at + std::strlen(at) + 1);
    case kBsonDbPointer:
      return Value::DbPointer(TextAt(at), ObjectIdAt(at + payload_.size() - 12));
    case kBsonJavaScript:
      return Value::JavaScript(std::string(AsString()));
    case kBsonSymbol:
      return Value::Symbol(std::string(AsString()));
    case kBsonJavaScriptWithScope: {
      const std::string_view code = TextAt(at + 4);
      const DocumentView scope = DocumentAt(code.data() + code.size() + 1);
      return Value::JavaScriptWithScope(std::string(code),
                                        std::move(scope.ToObject().MutableFields()));
    }
    case kBsonInt32:
      return Value::Int32(Load<int32_t>(at));
    case kBsonTimestamp:
      return Value::Timestamp({Load<uint32_t>(at + 4), Load<uint32_t>(at)});
    case kBsonInt64:
      return Value::Int64(Load<int64_t>(at));
    case kBsonDecimal128:
      return Value::Decimal128({Load<uint64_t>(at + 8), Load<uint64_t>(at)});
    case kBsonMinKey:
      return Value::MinKey();
    case kBsonMaxKey:
      return Value::MaxKey();
    default:
      return Value::Undefined();
  }
}

void DocumentView::Iterator::Parse() {
  const auto type = static_cast<uint8_t>(*at_);
  if (type == 0) return;
  const std::string_view name(at_ + 1);
  const char* payload = name.data() + name.size() + 1;
  element_ = ElementView(type, name, {payload, PayloadSize(type, payload)});
}

DocumentView::DocumentView() : bson_(kEmptyBson) {}

Result<DocumentView> DocumentView::FromBson(std::string_view bson) {
  ORRERY_TRY(ValidateBson(bson));
  return DocumentView(bson);
}

std::optional<ElementView> DocumentView::Find(std::string_view name) const {
  for (const ElementView element : *this) {
    if (element.name() == name) return element;
  }
  return std::nullopt;
}

Value DocumentView::Get(std::string_view name) const {
  const std::optional<ElementView> element = Find(name);
  return element.has_value() ? element->ToValue() : Value::Undefined();
}

Value DocumentView::ToObject() const {
  Fields fields;
  for (const ElementView element : *this) {
    fields.push_back(Field{std::string(element.name()), element.ToValue()});
  }
  return Value::Object(std::move(fields));
}

Value DocumentView::ToArray() const {
  Values elements;
  for (const ElementView element : *this) elements.push_back(element.ToValue());
  return Value::Array(std::move(elements));
}

Document::Document() : bson_(kEmptyBson) {}

Result<Document> Document::FromBson(std::string bson) {
  ORRERY_TRY(ValidateBson(bson));
  return Document(std::move(bson));
}

}  // namespace orrery::model
