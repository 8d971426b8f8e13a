#include "api/sql/document/document_id.h"

#include <fmt/format.h>

#include <string_view>

namespace orrery::sql {
namespace {

constexpr size_t kIdBytesMax = 1'023;
constexpr std::string_view kNoneOfAnId = "/\\";

std::unexpected<Error> Bad(std::string what) {
  return Fail(Code::kInvalidArgument, std::move(what));
}

}  // namespace

Result<std::string> DocumentIdOf(model::DocumentView document) {
  const auto id = document.Find("id");
  if (!id.has_value() || id->kind() != model::Kind::kString || id->AsString().empty()) {
    return Bad(
        "The input content is invalid because the required properties - 'id; ' - are missing: a "
        "document needs an id that is a string and not empty");
  }
  if (id->AsString().find_first_of(kNoneOfAnId) != std::string_view::npos)
    return Bad(R"(Id contains illegal chars. It must not have any of '/' and '\'.)");
  if (id->AsString().size() > kIdBytesMax) {
    return Bad(
        fmt::format("The id is too long. Ensure to provide a unique non-empty string less than "
                    "'{}' characters.",
                    kIdBytesMax + 1));
  }
  return std::string(id->AsString());
}

}  // namespace orrery::sql
