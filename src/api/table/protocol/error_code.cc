#include "api/table/protocol/error_code.h"

#include <cstddef>

namespace orrery::table {
namespace {

using enum ErrorCode;

// In the order of the enumeration.
constexpr ErrorFacts kFacts[] = {
    {kAtomFormatNotSupported, 415, "AtomFormatNotSupported",
     "Atom format is not supported: send and accept application/json."},
    {kAuthenticationFailed, 403, "AuthenticationFailed",
     "Server failed to authenticate the request. Make sure the value of Authorization header is "
     "formed correctly including the signature."},
    {kAuthorizationFailure, 403, "AuthorizationFailure",
     "This request is not authorized to perform this operation."},
    {kAuthorizationPermissionMismatch, 403, "AuthorizationPermissionMismatch",
     "This request is not authorized to perform this operation using this permission."},
    {kAuthorizationProtocolMismatch, 403, "AuthorizationProtocolMismatch",
     "This request is not authorized to perform this operation using this protocol."},
    {kAuthorizationResourceTypeMismatch, 403, "AuthorizationResourceTypeMismatch",
     "This request is not authorized to perform this operation using this resource type."},
    {kAuthorizationServiceMismatch, 403, "AuthorizationServiceMismatch",
     "This request is not authorized to perform this operation using this service."},
    {kAuthorizationSourceIPMismatch, 403, "AuthorizationSourceIPMismatch",
     "This request is not authorized to perform this operation using this source IP."},
    {kCommandsInBatchActOnDifferentPartitions, 400, "CommandsInBatchActOnDifferentPartitions",
     "All commands in a batch must operate on same entity group."},
    {kCorsPreflightFailure, 403, "CorsPreflightFailure",
     "CORS not enabled or no matching rule found for this request."},
    {kDuplicatePropertiesSpecified, 400, "DuplicatePropertiesSpecified",
     "A property is specified more than one time."},
    {kEntityAlreadyExists, 409, "EntityAlreadyExists", "The specified entity already exists."},
    {kEntityTooLarge, 400, "EntityTooLarge",
     "The entity is larger than the maximum size permitted."},
    {kInternalError, 500, "InternalError",
     "The server encountered an internal error. Please retry the request."},
    {kInvalidDuplicateRow, 400, "InvalidDuplicateRow",
     "The batch request contains multiple changes with same row key. An entity can appear only "
     "once in a batch request."},
    {kInvalidHeaderValue, 400, "InvalidHeaderValue",
     "The value for one of the HTTP headers is not in the correct format."},
    {kInvalidInput, 400, "InvalidInput", "One of the request inputs is not valid."},
    {kInvalidQueryParameterValue, 400, "InvalidQueryParameterValue",
     "Value for one of the query parameters specified in the request URI is invalid."},
    {kInvalidResourceName, 400, "InvalidResourceName",
     "The specified resource name contains invalid characters."},
    {kInvalidUri, 400, "InvalidUri",
     "The requested URI does not represent any resource on the server."},
    {kInvalidXmlDocument, 400, "InvalidXmlDocument",
     "The specified XML is not syntactically valid."},
    {kKeyValueTooLarge, 400, "KeyValueTooLarge", "The key value is larger than 1 KB."},
    {kMediaTypeNotSupported, 415, "MediaTypeNotSupported",
     "None of the provided media types are supported: send application/json."},
    {kMissingRequiredHeader, 400, "MissingRequiredHeader",
     "An HTTP header that's mandatory for this request is not specified."},
    {kNoAuthenticationInformation, 401, "NoAuthenticationInformation",
     "Server failed to authenticate the request. Please refer to the information in the "
     "www-authenticate header."},
    {kNotImplemented, 501, "NotImplemented",
     "The requested operation is not implemented on the specified resource."},
    {kOperationTimedOut, 500, "OperationTimedOut",
     "The operation could not be completed within the permitted time."},
    {kOutOfRangeInput, 400, "OutOfRangeInput", "One of the request inputs is out of range."},
    {kOutOfRangeQueryParameterValue, 400, "OutOfRangeQueryParameterValue",
     "One of the query parameters specified in the request URI is outside the permissible range."},
    {kPartitionFull, 403, "PartitionKeyReachedMaximumSize",
     "The partition key reached its maximum size: delete entities or use another key."},
    {kPropertiesNeedValue, 400, "PropertiesNeedValue",
     "The values are not specified for all properties in the entity."},
    {kPropertyNameInvalid, 400, "PropertyNameInvalid", "The property name is invalid."},
    {kPropertyNameTooLong, 400, "PropertyNameTooLong",
     "The property name exceeds the maximum allowed length (255)."},
    {kPropertyValueTooLarge, 400, "PropertyValueTooLarge",
     "The property value exceeds the maximum allowed size (64KB). If the property value is a "
     "string, it is UTF-16 encoded and the maximum number of characters should be 32K or less."},
    {kRequestBodyTooLarge, 413, "RequestBodyTooLarge",
     "The request body is too large and exceeds the maximum permissible limit."},
    {kRequestUrlFailedToParse, 400, "RequestUrlFailedToParse",
     "The url in the request could not be parsed."},
    {kResourceNotFound, 404, "ResourceNotFound", "The specified resource does not exist."},
    {kServerBusy, 503, "ServerBusy", "The server is busy. Please retry the request."},
    {kTableAlreadyExists, 409, "TableAlreadyExists", "The table specified already exists."},
    {kTableNotFound, 404, "TableNotFound", "The table specified does not exist."},
    {kTooManyProperties, 400, "TooManyProperties",
     "The entity contains more properties than allowed: 252 beside PartitionKey, RowKey and "
     "Timestamp."},
    {kTooManyRequests, 429, "TooManyRequests",
     "Request rate is large. More Request Units may be needed, so no changes were made. Please "
     "retry this request later."},
    {kUnsupportedHttpVerb, 405, "UnsupportedHttpVerb",
     "The resource doesn't support specified Http Verb."},
    {kUpdateConditionNotSatisfied, 412, "UpdateConditionNotSatisfied",
     "The update condition specified in the request was not satisfied."},
    {kWriteOperationNotSupportedOnSecondary, 403, "WriteOperationNotSupportedOnSecondary",
     "Write operations are not allowed."},
    {kXMethodIncorrectValue, 400, "XMethodIncorrectValue",
     "The HTTP method specified in the X-HTTP-Method header is incorrect."},
    {kXMethodNotUsingPost, 400, "XMethodNotUsingPost",
     "The request uses X-HTTP-Method with an HTTP verb other than POST."},
};

constexpr bool IsInOrder() {
  uint8_t next = 0;
  for (const ErrorFacts& facts : kFacts)
    if (facts.code != static_cast<ErrorCode>(next++)) return false;
  return next == static_cast<uint8_t>(kXMethodNotUsingPost) + 1;
}
static_assert(IsInOrder());

}  // namespace

const ErrorFacts& FactsOf(ErrorCode code) { return kFacts[static_cast<size_t>(code)]; }

}  // namespace orrery::table
