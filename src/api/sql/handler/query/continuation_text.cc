#include "api/sql/handler/query/continuation_text.h"

#include "model/document/json.h"

namespace orrery::sql {

std::string WholeContinuation(std::string_view token) {
  if (token.empty()) return {};
  std::string text = R"({"token":)";
  model::AppendJsonString(text, token);
  text += R"(,"range":{"min":"","max":"FF"}})";
  return text;
}

std::string TokenOfContinuation(std::string_view text) {
  if (!text.starts_with('{')) return std::string(text);
  const auto json = model::ValueFromJson(text);
  if (!json.has_value()) return std::string(text);
  const model::Value* token = json->Find("token");
  const bool is_text = token != nullptr && token->kind() == model::Kind::kString;
  return is_text ? std::string(token->AsString()) : std::string(text);
}

}  // namespace orrery::sql
