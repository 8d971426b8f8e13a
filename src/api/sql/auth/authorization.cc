#include "api/sql/auth/authorization.h"

#include <optional>

#include "api/sql/resource/lower_case.h"
#include "net/http/http_date.h"
#include "net/http/url.h"

namespace orrery::sql {
namespace {

constexpr std::string_view kType = "type=";
constexpr std::string_view kVersion = "ver=";
constexpr std::string_view kSignature = "sig=";

std::unexpected<Error> Malformed() {
  return Fail(
      Code::kUnauthorized,
      "the authorization header is not of the form 'type={type}&ver={version}&sig={signature}', "
      "percent-encoded");
}

std::optional<TokenType> TypeNamed(std::string_view name) {
  if (name == "master") return TokenType::kMaster;
  if (name == "resource") return TokenType::kResource;
  if (name == "aad") return TokenType::kEntra;
  return std::nullopt;
}

// Cuts what stands before `mark` off `rest` and returns it.
std::optional<std::string_view> TakeUntil(std::string_view& rest, std::string_view mark) {
  const size_t at = rest.find(mark);
  if (at == std::string_view::npos) return std::nullopt;
  const std::string_view taken = rest.substr(0, at);
  rest.remove_prefix(at + mark.size());
  return taken;
}

Status CheckDate(const SignedRequest& request, Micros now) {
  const std::string_view text = request.ms_date.empty() ? request.date : request.ms_date;
  const auto time = net::ParseHttpDate(text);
  if (!time.has_value()) {
    return Fail(Code::kUnauthorized,
                "a signed request needs the header x-ms-date, for example: Sun, 06 Nov 1994 "
                "08:49:37 GMT");
  }
  if (*time < now - kSignatureSkewMax || *time > now + kSignatureSkewMax) {
    return Fail(Code::kForbidden,
                "The authorization token is not valid at the current time. Please create another "
                "token and retry (token start time: " +
                    std::string(text) + ", current server time: " + net::FormatHttpDate(now) +
                    ").");
  }
  return {};
}

}  // namespace

Result<Authorization> ParseAuthorization(std::string_view header) {
  const auto decoded = net::PercentDecode(header);
  if (!decoded.has_value()) return Malformed();
  std::string_view rest = *decoded;
  if (!rest.starts_with(kType)) return Malformed();
  rest.remove_prefix(kType.size());
  const auto type = TakeUntil(rest, "&");
  if (!type.has_value() || !rest.starts_with(kVersion)) return Malformed();
  const auto version = TakeUntil(rest, "&");
  if (!version.has_value() || !rest.starts_with(kSignature)) return Malformed();
  const auto known = TypeNamed(*type);
  if (!known.has_value()) {
    return Fail(Code::kUnauthorized,
                "the authorization header has a type that is not known: " + std::string(*type) +
                    "; there are master, resource and aad");
  }
  rest.remove_prefix(kSignature.size());
  if (rest.empty()) return Malformed();
  return Authorization{*known, std::string(rest)};
}

std::string TextToSign(const SignedRequest& request, bool by_rid) {
  // An offer has no name: its id is signed in small letters, as clients send it.
  const bool rid = by_rid || request.path.type == ResourceType::kOffer;
  std::string text = LowerCase(request.verb);
  text += '\n';
  text += LowerCase(SegmentOf(request.path.type));
  text += '\n';
  text += rid ? RidLink(request.path) : NameLink(request.path);
  text += '\n';
  text += LowerCase(request.ms_date);
  text += '\n';
  if (request.ms_date.empty()) text += LowerCase(request.date);
  text += '\n';
  return text;
}

Result<gateway::Access> CheckSignature(const gateway::Accounts& accounts,
                                       const Authorization& authorization,
                                       const SignedRequest& request, Micros now) {
  Result<gateway::Access> access =
      accounts.CheckSignature(TextToSign(request, /*by_rid=*/false), authorization.signature);
  // The last of the resource ids stands for all of them; the last of names for nothing but itself.
  if (!access.has_value() && IsOfResourceIds(request.path)) {
    access = accounts.CheckSignature(TextToSign(request, /*by_rid=*/true), authorization.signature);
  }
  if (!access.has_value() && request.path.type == ResourceType::kPartitionKeyOperation) {
    // Some clients sign an operation on a partition key as one on its container.
    ResourcePath container = request.path;
    container.type = ResourceType::kContainer;
    const SignedRequest same{request.verb, container, request.ms_date, request.date};
    access = accounts.CheckSignature(TextToSign(same, /*by_rid=*/false), authorization.signature);
  }
  if (!access.has_value()) {
    return Fail(
        Code::kUnauthorized,
        "The input authorization token can't serve the request. The wrong key is being used "
        "or the expected payload is not built as per the protocol. Server used the "
        "following payload to sign: '" +
            TextToSign(request, /*by_rid=*/false) + "'");
  }
  ORRERY_TRY(CheckDate(request, now));
  return access;
}

}  // namespace orrery::sql
