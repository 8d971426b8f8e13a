// The flags that every verb which talks to a server has: --url, --key, --ca and --json.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/status.h"
#include "cli/admin_client.h"
#include "cli/verb/verb.h"

namespace orrery::cli {

// "shop/orders" or "shop".
struct ContainerName {
  std::string database;
  std::optional<std::string> container;

  // kInvalidArgument when a part is empty or there are more than two.
  static Result<ContainerName> Parse(std::string_view text);
  // The address of the container or database in the admin interface.
  std::string Path() const;
  std::string ToString() const;
};

class ConnectionFlags {
 public:
  void Define(CLI::App& app);
  // Flags first, then ORRERY_URL, ORRERY_KEY and ORRERY_CA, then a local server's defaults.
  Result<AdminClient> Connect(const Console& console) const;
  bool json() const { return json_; }

 private:
  std::optional<std::string> url_;
  std::optional<std::string> key_;
  std::optional<std::string> ca_file_;
  bool json_ = false;
};

}  // namespace orrery::cli
