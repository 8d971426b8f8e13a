#include "api/sql/container/full_text_policy.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "model/path/path.h"
#include "net/http/http_message.h"

namespace orrery::sql {
namespace {

using model::Kind;
using model::Value;

constexpr std::array<std::string_view, 7> kLanguages = {"en-US", "de-DE", "es-ES", "fr-FR",
                                                        "it-IT", "pt-BR", "pt-PT"};
// The same by the numbers that Windows has for them.
constexpr std::array<std::string_view, 8> kNumbers = {"1033", "1031", "1034", "3082",
                                                      "1036", "1040", "1046", "2070"};

bool IsLanguage(std::string_view text) {
  const auto is_text = [text](std::string_view known) {
    return net::EqualsIgnoringCase(text, known);
  };
  return std::ranges::any_of(kLanguages, is_text) || std::ranges::any_of(kNumbers, is_text);
}

std::unexpected<Error> BadFullTextPolicy(std::string message) {
  return Fail(Code::kInvalidArgument, std::move(message));
}

Status CheckLanguage(const Value& object, std::string_view name) {
  const Value* language = object.Find(name);
  if (language == nullptr || language->is_null()) return {};
  if (language->kind() == Kind::kString && IsLanguage(language->AsString())) return {};
  return BadFullTextPolicy(
      fmt::format("The full-text policy contains an unsupported language: '{}' must be one of {}.",
                  name, fmt::join(kLanguages, ", ")));
}

Status CheckPath(const Value& entry) {
  const Value* path = entry.kind() == Kind::kObject ? entry.Find("path") : nullptr;
  if (path == nullptr || path->kind() != Kind::kString)
    return BadFullTextPolicy("The full-text policy contains an invalid path: each needs a 'path'.");
  const auto parsed = model::Path::Parse(path->AsString());
  if (!parsed.has_value() || parsed->steps().empty()) {
    return BadFullTextPolicy(
        fmt::format("The full-text policy contains an invalid path: {}. {}", path->AsString(),
                    parsed.has_value() ? "It must name a property." : parsed.error().message()));
  }
  return CheckLanguage(entry, "language");
}

}  // namespace

Status CheckFullTextPolicy(const Value& body) {
  const Value* policy = body.Find("fullTextPolicy");
  if (policy == nullptr || policy->is_null()) return {};
  if (policy->kind() != Kind::kObject)
    return BadFullTextPolicy(
        "One of the specified inputs is invalid: fullTextPolicy is no object.");
  ORRERY_TRY(CheckLanguage(*policy, "defaultLanguage"));
  const Value* paths = policy->Find("fullTextPaths");
  if (paths == nullptr || paths->is_null()) return {};
  if (paths->kind() != Kind::kArray)
    return BadFullTextPolicy("One of the specified inputs is invalid: fullTextPaths is no array.");
  for (const Value& entry : paths->AsValues()) ORRERY_TRY(CheckPath(entry));
  return {};
}

}  // namespace orrery::sql
