// Documents: BSON bytes, and how to look into them without copying.
//
// Foreign bytes are validated once, by FromBson; everything after that trusts them and is cheap.
// DocumentView and ElementView point into bytes that someone else owns and must outlive them;
// Document owns its bytes. All are immutable and safe to read from several threads.
#pragma once

#include <cstdint>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/status.h"
#include "model/value.h"

namespace orrery::model {

// Objects and arrays inside each other, the document itself counted.
inline constexpr int kDocumentDepthMax = 128;

class DocumentView;

// One field of a document or one element of an array.
class ElementView {
 public:
  // `payload` is exactly the value's bytes.
  ElementView(uint8_t bson_type, std::string_view name, std::string_view payload)
      : name_(name), payload_(payload), bson_type_(bson_type) {}

  Kind kind() const;
  std::string_view name() const { return name_; }  // "0", "1", ... in an array
  uint8_t bson_type() const { return bson_type_; }
  std::string_view payload() const { return payload_; }

  // Each REQUIRES one of the kinds named.
  bool AsBool() const;
  int64_t AsInteger() const;          // int32, int64
  double AsDouble() const;            // double
  std::string_view AsString() const;  // string, symbol, javascript
  DocumentView AsDocument() const;    // object, array

  Value ToValue() const;

 private:
  std::string_view name_;
  std::string_view payload_;
  uint8_t bson_type_;
};

class DocumentView {
 public:
  class Iterator {
   public:
    using value_type = ElementView;
    using difference_type = std::ptrdiff_t;

    Iterator() = default;
    // `at` is an element's type byte, or the 00 that ends a document.
    explicit Iterator(const char* at) : at_(at) { Parse(); }
    ElementView operator*() const { return element_; }
    Iterator& operator++() {
      at_ = element_.payload().data() + element_.payload().size();
      Parse();
      return *this;
    }
    Iterator operator++(int) {
      Iterator before = *this;
      ++*this;
      return before;
    }
    friend bool operator==(const Iterator& a, const Iterator& b) { return a.at_ == b.at_; }

   private:
    void Parse();

    const char* at_ = nullptr;
    ElementView element_{0, {}, {}};
  };

  DocumentView();  // an empty document

  // Bytes that were validated before. REQUIRES: `bson` is one whole valid document.
  static DocumentView Trusted(std::string_view bson) { return DocumentView(bson); }
  // kInvalidArgument says what is wrong and at which byte. Checks lengths, types, UTF-8 and depth.
  static Result<DocumentView> FromBson(std::string_view bson);

  std::string_view bson() const { return bson_; }
  bool empty() const { return bson_.size() == 5; }
  Iterator begin() const { return Iterator(bson_.data() + 4); }
  Iterator end() const { return Iterator(bson_.data() + bson_.size() - 1); }

  // The first field of that name.
  std::optional<ElementView> Find(std::string_view name) const;
  // The same as a Value; undefined when absent.
  Value Get(std::string_view name) const;
  // All fields as a Value of kind object, or all elements as one of kind array.
  Value ToObject() const;
  Value ToArray() const;

 private:
  explicit DocumentView(std::string_view bson) : bson_(bson) {}

  std::string_view bson_;
};

class Document {
 public:
  Document();  // empty

  // As DocumentView::FromBson.
  static Result<Document> FromBson(std::string bson);
  // REQUIRES: `bson` is one whole valid document.
  static Document Trusted(std::string bson) { return Document(std::move(bson)); }

  DocumentView view() const { return DocumentView::Trusted(bson_); }
  operator DocumentView() const { return view(); }  // NOLINT: a Document is usable as its view
  const std::string& bson() const { return bson_; }
  std::string Release() && { return std::move(bson_); }

  friend bool operator==(const Document&, const Document&) = default;

 private:
  explicit Document(std::string bson) : bson_(std::move(bson)) {}

  std::string bson_;
};

}  // namespace orrery::model
