// The reading half of json.h.
#include <fmt/format.h>
#include <simdjson.h>

#include <algorithm>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "model/document/document_builder.h"
#include "model/document/json.h"

namespace orrery::model {
namespace {

namespace ondemand = simdjson::ondemand;

// Buffers above this size are given back after use.
constexpr size_t kKeptBytesMax = size_t{4} << 20;

// Reused by all texts that one thread parses: allocating them costs more than most texts.
struct Scratch {
  ondemand::parser parser;
  std::string padded;

  void Shrink() {
    if (padded.capacity() <= kKeptBytesMax) return;
    padded = std::string();
    parser = ondemand::parser();
  }
};

Scratch& ThreadScratch() {
  thread_local Scratch scratch;
  return scratch;
}

bool HasDuplicates(std::vector<std::string_view>& names) {
  constexpr size_t kFew = 12;
  if (names.size() <= kFew) {
    for (size_t i = 1; i < names.size(); ++i) {
      for (size_t j = 0; j < i; ++j) {
        if (names[i] == names[j]) return true;
      }
    }
    return false;
  }
  std::sort(names.begin(), names.end());
  return std::adjacent_find(names.begin(), names.end()) != names.end();
}

// Copies `document`, each name once: the last value at the first place.
void AppendWithoutDuplicates(DocumentBuilder& builder, DocumentView document, bool is_array) {
  std::vector<ElementView> kept;
  std::unordered_map<std::string_view, size_t> places;
  for (const ElementView element : document) {
    const auto [place, is_new] = places.try_emplace(element.name(), kept.size());
    if (is_new || is_array) {
      kept.push_back(element);
    } else {
      kept[place->second] = element;
    }
  }
  for (const ElementView& element : kept) {
    if (element.kind() == Kind::kObject) {
      builder.OpenObject(element.name());
      AppendWithoutDuplicates(builder, element.AsDocument(), /*is_array=*/false);
      builder.Close();
    } else if (element.kind() == Kind::kArray) {
      builder.OpenArray(element.name());
      AppendWithoutDuplicates(builder, element.AsDocument(), /*is_array=*/true);
      builder.Close();
    } else {
      builder.Append(element.name(), element);
    }
  }
}

class JsonReader {
 public:
  // Reading an array of one spares simdjson's special cases for a scalar at the root.
  explicit JsonReader(std::string_view text) : scratch_(ThreadScratch()) {
    scratch_.padded.clear();
    scratch_.padded.reserve(text.size() + 2 + simdjson::SIMDJSON_PADDING);
    scratch_.padded.append("[").append(text).append("]");
  }
  ~JsonReader() { scratch_.Shrink(); }
  JsonReader(const JsonReader&) = delete;
  JsonReader& operator=(const JsonReader&) = delete;

  // The text as a document with one field named "".
  Result<Document> Read(RepeatedKeys repeated) {
    const size_t size = scratch_.padded.size();
    auto opened =
        scratch_.parser.iterate(scratch_.padded.data(), size, size + simdjson::SIMDJSON_PADDING);
    if (const auto error = std::move(opened).get(document_)) return Bad(error);
    opened_ = true;
    ondemand::array array;
    if (const auto error = document_.get_array().get(array)) return Bad(error);
    int count = 0;
    for (auto element : array) {
      ondemand::value value;
      if (const auto error = element.get(value)) return Bad(error);
      if (++count > 1) return Bad("more than one value");
      ORRERY_TRY(ReadValue("", value, /*depth=*/1));
    }
    if (count == 0) return Bad("no value");
    if (document_.current_location().error() != simdjson::OUT_OF_BOUNDS)
      return Bad("something follows the value");
    Document result = std::move(builder_).Finish();
    if (!has_duplicates_) return result;
    if (repeated == RepeatedKeys::kRefuse)
      return Fail(Code::kAlreadyExists, "a JSON object has the same key twice");
    DocumentBuilder unique;
    AppendWithoutDuplicates(unique, result, /*is_array=*/false);
    return std::move(unique).Finish();
  }

 private:
  std::unexpected<Error> Bad(simdjson::error_code error) {
    return Bad(simdjson::error_message(error));
  }

  std::unexpected<Error> Bad(std::string_view what) {
    const char* location = nullptr;
    const char* start = scratch_.padded.data() + 1;  // after the bracket that is ours
    const char* end = scratch_.padded.data() + scratch_.padded.size() - 1;
    if (opened_ && document_.current_location().get(location) == simdjson::SUCCESS &&
        location >= start && location <= end) {
      return Fail(Code::kInvalidArgument,
                  fmt::format("invalid JSON near byte {}: {}", location - start, what));
    }
    return Fail(Code::kInvalidArgument, fmt::format("invalid JSON: {}", what));
  }

  Status ReadValue(std::string_view name, ondemand::value& value, int depth) {
    ondemand::json_type type;
    if (const auto error = value.type().get(type)) return Bad(error);
    if (type != ondemand::json_type::object && type != ondemand::json_type::array) {
      return ReadScalar(name, value, type);
    }
    if (depth > kDocumentDepthMax)
      return Bad(fmt::format("nested more than {} deep", kDocumentDepthMax));
    return type == ondemand::json_type::object ? ReadObject(name, value, depth)
                                               : ReadArray(name, value, depth);
  }

  Status ReadObject(std::string_view name, ondemand::value& value, int depth) {
    ondemand::object object;
    if (const auto error = value.get_object().get(object)) return Bad(error);
    builder_.OpenObject(name);
    std::vector<std::string_view> names;
    for (auto field : object) {
      std::string_view key;
      ondemand::value inner;
      if (const auto error = field.unescaped_key().get(key)) return Bad(error);
      if (const auto error = field.value().get(inner)) return Bad(error);
      if (key.find('\0') != std::string_view::npos) return Bad("a property name contains NUL");
      ORRERY_TRY(ReadValue(key, inner, depth + 1));
      names.push_back(key);
    }
    has_duplicates_ = has_duplicates_ || HasDuplicates(names);
    builder_.Close();
    return {};
  }

  Status ReadArray(std::string_view name, ondemand::value& value, int depth) {
    ondemand::array array;
    if (const auto error = value.get_array().get(array)) return Bad(error);
    builder_.OpenArray(name);
    size_t index = 0;
    for (auto element : array) {
      ondemand::value inner;
      if (const auto error = element.get(inner)) return Bad(error);
      const fmt::format_int position(index++);
      ORRERY_TRY(ReadValue({position.data(), position.size()}, inner, depth + 1));
    }
    builder_.Close();
    return {};
  }

  Status ReadScalar(std::string_view name, ondemand::value& source, ondemand::json_type type) {
    switch (type) {
      case ondemand::json_type::string: {
        std::string_view text;
        if (const auto error = source.get_string().get(text)) return Bad(error);
        builder_.AppendString(name, text);
        return {};
      }
      case ondemand::json_type::boolean: {
        bool value = false;
        if (const auto error = source.get_bool().get(value)) return Bad(error);
        builder_.AppendBool(name, value);
        return {};
      }
      case ondemand::json_type::null: {
        bool is_null = false;
        if (const auto error = source.is_null().get(is_null)) return Bad(error);
        if (!is_null) return Bad("no such literal");
        builder_.Append(name, Value::Null());
        return {};
      }
      default:
        return ReadNumber(name, source);
    }
  }

  Status ReadNumber(std::string_view name, ondemand::value& source) {
    int64_t whole = 0;
    if (source.get_int64().get(whole) == simdjson::SUCCESS) {
      if (whole == static_cast<int32_t>(whole)) {
        builder_.AppendInt32(name, static_cast<int32_t>(whole));
      } else {
        builder_.AppendInt64(name, whole);
      }
      return {};
    }
    double real = 0;
    if (const auto error = source.get_double().get(real)) return Bad(error);
    builder_.AppendDouble(name, real);
    return {};
  }

  Scratch& scratch_;
  ondemand::document document_;
  DocumentBuilder builder_;
  bool opened_ = false;  // a document that was never opened has no location
  bool has_duplicates_ = false;
};

Result<Document> ReadWrapped(std::string_view text, RepeatedKeys repeated) {
  if (text.size() > kJsonBytesMax) {
    return Fail(Code::kTooLarge, fmt::format("JSON text of {} bytes, at most {} are allowed",
                                             text.size(), kJsonBytesMax));
  }
  return JsonReader(text).Read(repeated);
}

}  // namespace

Result<Document> ParseJson(std::string_view text, RepeatedKeys repeated) {
  ORRERY_ASSIGN(const Document wrapped, ReadWrapped(text, repeated));
  const ElementView root = *wrapped.view().begin();
  if (root.kind() != Kind::kObject) {
    return Fail(Code::kInvalidArgument,
                fmt::format("a JSON object is needed, this is of kind {}", KindName(root.kind())));
  }
  return Document::Trusted(std::string(root.payload()));
}

Result<Value> ValueFromJson(std::string_view text) {
  ORRERY_ASSIGN(const Document wrapped, ReadWrapped(text, RepeatedKeys::kLastWins));
  return (*wrapped.view().begin()).ToValue();
}

}  // namespace orrery::model
