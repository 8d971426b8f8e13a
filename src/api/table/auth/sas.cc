#include "api/table/auth/sas.h"

#include <arpa/inet.h>

#include "api/table/protocol/header_text.h"
#include "net/http/url.h"

namespace orrery::table {
namespace {

// Versions are dates: they compare as text.
constexpr std::string_view kVersionWithAddresses = "2015-02-21";
constexpr std::string_view kVersionWithScope = "2020-12-06";

std::optional<uint32_t> Ipv4(std::string_view text) {
  in_addr address{};
  if (inet_pton(AF_INET, std::string(text).c_str(), &address) != 1) return std::nullopt;
  return ntohl(address.s_addr);
}

std::string AccountText(const Sas& sas, std::string_view account) {
  std::string text(account);
  for (const std::string* part : {&sas.permissions, &sas.services, &sas.resource_types, &sas.start,
                                  &sas.expiry, &sas.ip, &sas.protocol, &sas.version}) {
    text += '\n';
    text += *part;
  }
  text += '\n';
  if (sas.version >= kVersionWithScope) text += sas.encryption_scope + '\n';
  return text;
}

std::string TableText(const Sas& sas, std::string_view account) {
  const bool is_new = sas.version >= kVersionWithAddresses;
  std::string text = sas.permissions + '\n' + sas.start + '\n' + sas.expiry + '\n';
  if (is_new) text += "/table";
  text += '/';
  text += account;
  text += '/' + LowerCase(sas.table) + '\n' + sas.identifier + '\n';
  if (is_new) text += sas.ip + '\n' + sas.protocol + '\n';
  text += sas.version;
  for (const auto* key :
       {&sas.first_partition_key, &sas.first_row_key, &sas.last_partition_key, &sas.last_row_key}) {
    text += '\n';
    text += key->value_or("");
  }
  return text;
}

}  // namespace

std::optional<Sas> SasOf(const net::HttpRequest& request) {
  const auto signature = request.Query("sig");
  if (!signature.has_value()) return std::nullopt;
  const auto text = [&](std::string_view name) {
    return std::string(request.Query(name).value_or(""));
  };
  const auto key = [&](std::string_view name) -> std::optional<std::string> {
    const auto value = request.Query(name);
    if (!value.has_value()) return std::nullopt;
    return std::string(*value);
  };
  return Sas{.is_account = request.Query("ss").has_value() || request.Query("srt").has_value(),
             .version = text("sv"),
             .permissions = text("sp"),
             .services = text("ss"),
             .resource_types = text("srt"),
             .start = text("st"),
             .expiry = text("se"),
             .ip = text("sip"),
             .protocol = text("spr"),
             .encryption_scope = text("ses"),
             .table = text("tn"),
             .identifier = text("si"),
             .first_partition_key = key("spk"),
             .first_row_key = key("srk"),
             .last_partition_key = key("epk"),
             .last_row_key = key("erk"),
             .signature = std::string(*signature)};
}

std::string TextToSign(const Sas& sas, std::string_view account) {
  return sas.is_account ? AccountText(sas, account) : TableText(sas, account);
}

bool IsAllowedAddress(std::string_view allowed, std::string_view peer) {
  if (allowed.empty()) return true;
  const auto host = net::ParseHostPort(peer, uint16_t{0});
  if (!host.has_value()) return false;
  if (host->host == allowed) return true;
  const auto address = Ipv4(host->host);
  const size_t dash = allowed.find('-');
  if (!address.has_value() || dash == std::string_view::npos) return false;
  const auto first = Ipv4(allowed.substr(0, dash));
  const auto last = Ipv4(allowed.substr(dash + 1));
  return first.has_value() && last.has_value() && *address >= *first && *address <= *last;
}

}  // namespace orrery::table
