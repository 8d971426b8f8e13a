#include "cluster/simulation/key_list.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <optional>
#include <unordered_map>

namespace orrery::cluster {
namespace {

constexpr size_t kFieldsMax = 3;
constexpr size_t kShownMax = 40;
constexpr double kAmountMax = 1e18;  // sums of kListedKeysMax of them are still exact enough

std::string Shown(std::string_view text) {
  std::string shown;
  for (const char c : text.substr(0, kShownMax)) {
    const auto byte = static_cast<unsigned char>(c);
    shown += byte < 0x20 || byte == 0x7f ? '?' : c;
  }
  return text.size() > kShownMax ? shown + "..." : shown;
}

std::string_view Trimmed(std::string_view text) {
  const size_t first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

std::optional<double> Number(std::string_view field) {
  const std::string_view text = Trimmed(field);
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

// The fields of one line, at most one more than there may be. nullopt when a quote is not closed.
std::optional<std::vector<std::string>> Fields(std::string_view line) {
  std::vector<std::string> fields(1);
  bool quoted = false;
  for (size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (quoted && c == '"' && i + 1 < line.size() && line[i + 1] == '"') {
      fields.back() += '"';
      ++i;
    } else if (c == '"' && (quoted || fields.back().empty())) {
      quoted = !quoted;
    } else if (c == ',' && !quoted) {
      if (fields.size() > kFieldsMax) break;
      fields.emplace_back();
    } else {
      fields.back() += c;
    }
  }
  if (quoted) return std::nullopt;
  return fields;
}

class ListReader {
 public:
  Status Take(std::string_view line) {
    ++line_number_;
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    if (Trimmed(line).empty()) return {};
    const auto fields = Fields(line);
    if (!fields.has_value()) return Wrong("a quote is not closed");
    if (fields->size() < 2 || fields->size() > kFieldsMax)
      return Wrong(fmt::format("'{}' is not 'key,weight' or 'key,weight,bytes'", Shown(line)));
    const bool first = !std::exchange(started_, true);
    const auto weight = Number((*fields)[1]);
    if (first && !weight.has_value()) return {};  // a header
    return Add((*fields)[0], weight, *fields);
  }

  Result<std::vector<ListedKey>> Finish() && {
    double sum = 0;
    for (const ListedKey& key : keys_) sum += key.weight;
    if (keys_.empty()) return Fail(Code::kInvalidArgument, "the list has no keys");
    if (sum <= 0) return Fail(Code::kInvalidArgument, "the weights of all keys are 0");
    return std::move(keys_);
  }

 private:
  std::unexpected<Error> Wrong(std::string_view what) const {
    return Fail(Code::kInvalidArgument, fmt::format("line {}: {}", line_number_, what));
  }

  Status Add(const std::string& key, std::optional<double> weight,
             const std::vector<std::string>& fields) {
    if (!IsAmount(weight))
      return Wrong(fmt::format("the weight '{}' is not a number from 0 to {:g}", Shown(fields[1]),
                               kAmountMax));
    const bool has_bytes = fields.size() == kFieldsMax;
    if (keys_.empty()) has_bytes_ = has_bytes;
    if (has_bytes != has_bytes_) return Wrong("either all lines have bytes or none");
    const auto bytes = has_bytes ? Number(fields[2]) : std::optional<double>(0);
    if (!IsAmount(bytes))
      return Wrong(fmt::format("the bytes '{}' are not a number from 0 to {:g}", Shown(fields[2]),
                               kAmountMax));
    const auto [before, is_new] = lines_.emplace(key, line_number_);
    if (!is_new)
      return Wrong(
          fmt::format("the key '{}' stands in line {} already", Shown(key), before->second));
    if (keys_.size() == kListedKeysMax)
      return Wrong(fmt::format("more than {} keys", kListedKeysMax));
    keys_.push_back({key, *weight, *bytes});
    return {};
  }

  static bool IsAmount(std::optional<double> number) {
    return number.has_value() && std::isfinite(*number) && *number >= 0 && *number <= kAmountMax;
  }

  size_t line_number_ = 0;
  bool started_ = false;
  bool has_bytes_ = false;
  std::vector<ListedKey> keys_;
  std::unordered_map<std::string, size_t> lines_;
};

}  // namespace

Result<std::vector<ListedKey>> ParseKeyList(std::string_view text) {
  ListReader reader;
  while (!text.empty()) {
    const size_t end = text.find('\n');
    ORRERY_TRY(reader.Take(text.substr(0, end)));
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + 1);
  }
  return std::move(reader).Finish();
}

}  // namespace orrery::cluster
