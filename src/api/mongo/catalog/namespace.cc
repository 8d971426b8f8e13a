#include "api/mongo/catalog/namespace.h"

#include <fmt/format.h>

#include <algorithm>

#include "gateway/catalog/container_settings.h"

namespace orrery::mongo {

Outcome CheckDatabaseName(std::string_view name) {
  const bool bad = name.empty() || name.size() > kDatabaseNameBytesMax ||
                   name.find_first_of(std::string_view("/\\. \"$\0", 7)) != std::string_view::npos;
  if (bad)
    return Refuse(ErrorCode::kInvalidNamespace, fmt::format("Invalid database name: '{}'", name));
  return {};
}

Outcome CheckCollectionName(const Namespace& name) {
  MONGO_TRY(CheckDatabaseName(name.database));
  const std::string_view text = name.collection;
  if (text.empty()) {
    return Refuse(ErrorCode::kInvalidNamespace,
                  fmt::format("Invalid namespace specified '{}.'", name.database));
  }
  if (text.starts_with('.') || text.find('\0') != std::string_view::npos) {
    return Refuse(ErrorCode::kInvalidNamespace,
                  fmt::format("Invalid namespace specified '{}'", name.ToString()));
  }
  return {};
}

Outcome CheckNewCollectionName(const Namespace& name) {
  MONGO_TRY(CheckCollectionName(name));
  const std::string_view text = name.collection;
  if (text == "system.profile") {
    return Refuse(ErrorCode::kInvalidNamespace, fmt::format("cannot write to {}", name.ToString()));
  }
  if (text.find('$') != std::string_view::npos || text.ends_with('.')) {
    return Refuse(ErrorCode::kInvalidNamespace, fmt::format("Invalid collection name: {}", text));
  }
  if (name.ToString().size() > kNamespaceBytesMax) {
    return Refuse(ErrorCode::kInvalidNamespace,
                  fmt::format("Fully qualified namespace is too long. Namespace: {} Max: {}",
                              name.ToString(), kNamespaceBytesMax));
  }
  for (const std::string_view part : {std::string_view(name.database), text}) {
    if (const Status valid = gateway::ValidateName("collection", part); !valid.has_value())
      return Refuse(ErrorCode::kInvalidNamespace,
                    fmt::format("Invalid collection name: {}: {}", text, valid.error().message()));
  }
  return {};
}

Answer<Namespace> ParseNamespace(std::string_view text) {
  const size_t dot = text.find('.');
  if (dot == std::string_view::npos || dot == 0 || dot + 1 == text.size()) {
    return Refuse(ErrorCode::kInvalidNamespace,
                  fmt::format("Invalid namespace specified '{}'", text));
  }
  return Namespace{std::string(text.substr(0, dot)), std::string(text.substr(dot + 1))};
}

}  // namespace orrery::mongo
