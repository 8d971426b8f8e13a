// A Sas is a shared access signature: what its bearer may do, in parameters of the URL, signed with
// a key of the account.
//
//   account SAS := account "\n" sp "\n" ss "\n" srt "\n" st "\n" se "\n" sip "\n" spr "\n" sv "\n"
//                  [ses "\n"]                            the last from version 2020-12-06 on
//   table SAS   := sp "\n" st "\n" se "\n" resource "\n" si ["\n" sip "\n" spr] "\n" sv
//                  "\n" spk "\n" srk "\n" epk "\n" erk
//   resource    := ["/table"] "/" account "/" table      in small letters; before 2015-02-21
//   without
//                  "/table", and the text without sip and spr
//
// Values are signed decoded. Pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "net/http/http_message.h"

namespace orrery::table {

struct Sas {
  bool is_account = false;  // else of one table
  std::string version{};
  std::string permissions{};
  std::string services{};
  std::string resource_types{};
  std::string start{};
  std::string expiry{};
  std::string ip{};
  std::string protocol{};
  std::string encryption_scope{};
  std::string table{};
  std::string identifier{};
  std::optional<std::string> first_partition_key{};
  std::optional<std::string> first_row_key{};
  std::optional<std::string> last_partition_key{};
  std::optional<std::string> last_row_key{};
  std::string signature{};
};

// nullopt if the request has no signature in its URL.
std::optional<Sas> SasOf(const net::HttpRequest& request);

std::string TextToSign(const Sas& sas, std::string_view account);

// Returns whether the peer ("127.0.0.1:5000") is the address or in the range "a-b" that `allowed`
// names. True for an empty one.
bool IsAllowedAddress(std::string_view allowed, std::string_view peer);

}  // namespace orrery::table
