#include "model/document/document_builder.h"

#include <charconv>
#include <cstring>
#include <utility>

#include "base/check.h"
#include "model/document/bson_type.h"
#include "model/value_text.h"

namespace orrery::model {
namespace {

template <typename T>
void AppendLittleEndian(std::string& out, T value) {
  out.append(reinterpret_cast<const char*>(&value), sizeof(T));
}

template <size_t N>
void AppendBytes(std::string& out, const std::array<uint8_t, N>& bytes) {
  out.append(reinterpret_cast<const char*>(bytes.data()), N);
}

// Decimal digits without an allocation: arrays name every element.
class IndexName {
 public:
  explicit IndexName(size_t index) {
    end_ = std::to_chars(buffer_, buffer_ + sizeof(buffer_), index).ptr;
  }
  std::string_view text() const { return {buffer_, static_cast<size_t>(end_ - buffer_)}; }

 private:
  char buffer_[20];
  char* end_;
};

void CloseFrom(std::string& out, size_t start) {
  out.push_back('\0');
  const size_t size = out.size() - start;
  ORRERY_CHECK(size <= INT32_MAX);
  const auto length = static_cast<int32_t>(size);
  std::memcpy(out.data() + start, &length, sizeof(length));
}

}  // namespace

DocumentBuilder::DocumentBuilder() : out_(4, '\0') {}

DocumentBuilder::DocumentBuilder(std::string buffer) : out_(std::move(buffer)) {
  out_.assign(4, '\0');
}

DocumentBuilder& DocumentBuilder::Reserve(size_t bytes) {
  out_.reserve(out_.size() + bytes);
  return *this;
}

void DocumentBuilder::AppendHeader(uint8_t bson_type, std::string_view name) {
  ORRERY_CHECK(name.find('\0') == std::string_view::npos);
  out_.push_back(static_cast<char>(bson_type));
  out_.append(name);
  out_.push_back('\0');
}

void DocumentBuilder::AppendText(std::string_view text) {
  AppendLittleEndian(out_, static_cast<int32_t>(text.size() + 1));
  out_.append(text);
  out_.push_back('\0');
}

DocumentBuilder& DocumentBuilder::AppendBool(std::string_view name, bool value) {
  AppendHeader(kBsonBool, name);
  out_.push_back(value ? '\x01' : '\x00');
  return *this;
}

DocumentBuilder& DocumentBuilder::AppendInt32(std::string_view name, int32_t value) {
  AppendHeader(kBsonInt32, name);
  AppendLittleEndian(out_, value);
  return *this;
}

DocumentBuilder& DocumentBuilder::AppendInt64(std::string_view name, int64_t value) {
  AppendHeader(kBsonInt64, name);
  AppendLittleEndian(out_, value);
  return *this;
}

DocumentBuilder& DocumentBuilder::AppendDouble(std::string_view name, double value) {
  AppendHeader(kBsonDouble, name);
  AppendLittleEndian(out_, value);
  return *this;
}

DocumentBuilder& DocumentBuilder::AppendString(std::string_view name, std::string_view value) {
  AppendHeader(kBsonString, name);
  AppendText(value);
  return *this;
}

DocumentBuilder& DocumentBuilder::AppendDocument(std::string_view name, DocumentView value) {
  AppendHeader(kBsonObject, name);
  out_.append(value.bson());
  return *this;
}

DocumentBuilder& DocumentBuilder::Append(std::string_view name, const ElementView& element) {
  AppendHeader(element.bson_type(), name);
  out_.append(element.payload());
  return *this;
}

DocumentBuilder& DocumentBuilder::OpenObject(std::string_view name) {
  AppendHeader(kBsonObject, name);
  open_.push_back(out_.size());
  out_.append(4, '\0');
  return *this;
}

DocumentBuilder& DocumentBuilder::OpenArray(std::string_view name) {
  AppendHeader(kBsonArray, name);
  open_.push_back(out_.size());
  out_.append(4, '\0');
  return *this;
}

DocumentBuilder& DocumentBuilder::Close() {
  ORRERY_CHECK(!open_.empty());
  CloseFrom(out_, open_.back());
  open_.pop_back();
  return *this;
}

void DocumentBuilder::AppendFields(const Fields& fields) {
  for (const Field& field : fields) Append(field.name, field.value);
}

void DocumentBuilder::AppendElements(const Values& values) {
  for (size_t i = 0; i < values.size(); ++i) Append(IndexName(i).text(), values[i]);
}

DocumentBuilder& DocumentBuilder::Append(std::string_view name, const Value& value) {
  switch (value.kind()) {
    case Kind::kUndefined:
      AppendHeader(kBsonUndefined, name);
      break;
    case Kind::kNull:
      AppendHeader(kBsonNull, name);
      break;
    case Kind::kMinKey:
      AppendHeader(kBsonMinKey, name);
      break;
    case Kind::kMaxKey:
      AppendHeader(kBsonMaxKey, name);
      break;
    case Kind::kBool:
      return AppendBool(name, value.AsBool());
    case Kind::kInt8:
    case Kind::kInt16:
    case Kind::kInt32:
      return AppendInt32(name, static_cast<int32_t>(value.AsInteger()));
    case Kind::kInt64:
      return AppendInt64(name, value.AsInteger());
    case Kind::kFloat:
    case Kind::kDouble:
      return AppendDouble(name, value.AsDouble());
    case Kind::kString:
    case Kind::kAscii:
      return AppendString(name, value.AsString());
    case Kind::kSymbol:
    case Kind::kJavaScript:
      AppendHeader(value.kind() == Kind::kSymbol ? kBsonSymbol : kBsonJavaScript, name);
      AppendText(value.AsString());
      break;
    case Kind::kDecimal128:
      AppendHeader(kBsonDecimal128, name);
      AppendLittleEndian(out_, value.AsDecimal128().low);
      AppendLittleEndian(out_, value.AsDecimal128().high);
      break;
    case Kind::kBinary:
      AppendHeader(kBsonBinary, name);
      AppendLittleEndian(out_, static_cast<int32_t>(value.AsBytes().size()));
      out_.push_back(static_cast<char>(value.binary_subtype()));
      out_.append(value.AsBytes());
      break;
    case Kind::kUuid:
    case Kind::kTimeUuid:
      AppendHeader(kBsonBinary, name);
      AppendLittleEndian(out_, int32_t{16});
      out_.push_back('\x04');
      AppendBytes(out_, value.AsUuid());
      break;
    case Kind::kObjectId:
      AppendHeader(kBsonObjectId, name);
      AppendBytes(out_, value.AsObjectId());
      break;
    case Kind::kDateTime:
      AppendHeader(kBsonDateTime, name);
      AppendLittleEndian(out_, value.AsDateTime());
      break;
    case Kind::kTimestamp:
      AppendHeader(kBsonTimestamp, name);
      AppendLittleEndian(out_, value.AsTimestamp().increment);
      AppendLittleEndian(out_, value.AsTimestamp().seconds);
      break;
    case Kind::kRegex:
      AppendHeader(kBsonRegex, name);
      out_.append(value.AsRegex().pattern).push_back('\0');
      out_.append(value.AsRegex().options).push_back('\0');
      break;
    case Kind::kDbPointer:
      AppendHeader(kBsonDbPointer, name);
      AppendText(value.AsDbPointer().collection);
      AppendBytes(out_, value.AsDbPointer().id);
      break;
    case Kind::kJavaScriptWithScope: {
      AppendHeader(kBsonJavaScriptWithScope, name);
      const size_t start = out_.size();
      out_.append(4, '\0');
      AppendText(value.AsScopedCode().code);
      const size_t scope = out_.size();
      out_.append(4, '\0');
      AppendFields(value.AsScopedCode().scope);
      CloseFrom(out_, scope);
      const auto length = static_cast<int32_t>(out_.size() - start);
      std::memcpy(out_.data() + start, &length, sizeof(length));
      break;
    }
    case Kind::kArray:
    case Kind::kSet:
      OpenArray(name);
      AppendElements(value.AsValues());
      return Close();
    case Kind::kObject:
      OpenObject(name);
      AppendFields(value.AsFields());
      return Close();
    case Kind::kMap:
      OpenObject(name);
      for (const MapEntry& entry : value.AsEntries()) {
        // A name cannot hold a NUL; text after one is dropped rather than the entry.
        const std::string key = ToText(entry.key);
        Append(std::string_view(key.c_str()), entry.value);
      }
      return Close();
    case Kind::kVarint:
    case Kind::kDecimal:
    case Kind::kDate:
    case Kind::kTime:
    case Kind::kDuration:
    case Kind::kInet:
      return AppendString(name, ToText(value));
  }
  return *this;
}

Document DocumentBuilder::Finish() && {
  ORRERY_CHECK(open_.empty());
  CloseFrom(out_, 0);
  return Document::Trusted(std::move(out_));
}

Document ToDocument(const Value& value) {
  DocumentBuilder builder;
  for (const Field& field : value.AsFields()) builder.Append(field.name, field.value);
  return std::move(builder).Finish();
}

}  // namespace orrery::model
