#include "model/document/bson_validator.h"

#include <fmt/format.h>
#include <simdjson.h>

#include <cstdint>
#include <cstring>
#include <string>

#include "model/document/bson_type.h"
#include "model/document/document.h"

namespace orrery::model {
namespace {

class Validator {
 public:
  explicit Validator(std::string_view bson) : bson_(bson) {}

  Status Run() {
    ORRERY_TRY(CheckDocument(bson_.size(), /*depth=*/1));
    if (at_ != bson_.size()) return Bad("bytes after the document's end");
    return {};
  }

 private:
  std::unexpected<Error> Bad(std::string_view what) const {
    return Fail(Code::kInvalidArgument, fmt::format("invalid BSON at byte {}: {}", at_, what));
  }

  // All checks stay below `end`, the end of the innermost document.
  Status CheckDocument(size_t end, int depth) {
    if (depth > kDocumentDepthMax)
      return Bad(fmt::format("nested more than {} deep", kDocumentDepthMax));
    const size_t start = at_;
    int32_t size = 0;
    ORRERY_TRY(ReadLength(end, size));
    if (size < 5 || static_cast<size_t>(size) > end - start) {
      at_ = start;
      return Bad("a document's length does not fit");
    }
    const size_t own_end = start + static_cast<size_t>(size);
    if (bson_[own_end - 1] != '\0') return Bad("a document does not end with 00");
    while (at_ < own_end - 1) {
      ORRERY_TRY(CheckElement(own_end - 1, depth));
    }
    at_ = own_end;
    return {};
  }

  Status CheckElement(size_t end, int depth) {
    const auto type = static_cast<uint8_t>(bson_[at_]);
    if (!KindOfBsonType(type).has_value()) return Bad(fmt::format("unknown type {:#04x}", type));
    ++at_;
    ORRERY_TRY(CheckName(end));
    return CheckPayload(type, end, depth);
  }

  Status CheckPayload(uint8_t type, size_t end, int depth) {
    switch (type) {
      case kBsonObject:
      case kBsonArray:
        return CheckDocument(end, depth + 1);
      case kBsonString:
      case kBsonJavaScript:
      case kBsonSymbol:
        return CheckText(end);
      case kBsonBinary: {
        int32_t size = 0;
        ORRERY_TRY(ReadLength(end, size));
        if (size < 0) return Bad("a negative length");
        return Skip(static_cast<size_t>(size) + 1, end);
      }
      case kBsonBool:
        if (at_ < end && static_cast<uint8_t>(bson_[at_]) > 1)
          return Bad("a boolean that is neither 00 nor 01");
        return Skip(1, end);
      case kBsonRegex:
        ORRERY_TRY(CheckName(end));
        return CheckName(end);
      case kBsonDbPointer:
        ORRERY_TRY(CheckText(end));
        return Skip(12, end);
      case kBsonJavaScriptWithScope:
        return CheckScopedCode(end, depth);
      case kBsonObjectId:
        return Skip(12, end);
      case kBsonInt32:
        return Skip(4, end);
      case kBsonDouble:
      case kBsonDateTime:
      case kBsonTimestamp:
      case kBsonInt64:
        return Skip(8, end);
      case kBsonDecimal128:
        return Skip(16, end);
      default:
        return {};  // null, undefined, min and max key have no bytes
    }
  }

  Status CheckScopedCode(size_t end, int depth) {
    const size_t start = at_;
    int32_t size = 0;
    ORRERY_TRY(ReadLength(end, size));
    ORRERY_TRY(CheckText(end));
    ORRERY_TRY(CheckDocument(end, depth + 1));
    if (at_ - start != static_cast<size_t>(size))
      return Bad("the length of code with scope is wrong");
    return {};
  }

  Status Skip(size_t size, size_t end) {
    if (size > end - at_) return Bad("a value runs past the end of its document");
    at_ += size;
    return {};
  }

  Status ReadLength(size_t end, int32_t& length) {
    if (end - at_ < 4) return Bad("no room for a length");
    std::memcpy(&length, bson_.data() + at_, 4);
    at_ += 4;
    return {};
  }

  Status CheckName(size_t end) {
    const size_t stop = bson_.find('\0', at_);
    if (stop == std::string_view::npos || stop >= end) return Bad("a name without its end");
    if (!simdjson::validate_utf8(bson_.data() + at_, stop - at_)) return Bad("a name is not UTF-8");
    at_ = stop + 1;
    return {};
  }

  Status CheckText(size_t end) {
    int32_t size = 0;
    ORRERY_TRY(ReadLength(end, size));
    if (size < 1 || static_cast<size_t>(size) > end - at_)
      return Bad("a text's length does not fit");
    const auto length = static_cast<size_t>(size) - 1;
    if (bson_[at_ + length] != '\0') return Bad("a text does not end with 00");
    if (!simdjson::validate_utf8(bson_.data() + at_, length)) return Bad("a text is not UTF-8");
    at_ += length + 1;
    return {};
  }

  const std::string_view bson_;
  size_t at_ = 0;
};

}  // namespace

Status ValidateBson(std::string_view bson) { return Validator(bson).Run(); }

}  // namespace orrery::model
