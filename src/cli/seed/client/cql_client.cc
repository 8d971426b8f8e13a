#include "cli/seed/client/cql_client.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <deque>
#include <thread>
#include <utility>
#include <variant>

#include "api/cassandra/protocol/request/request_writer.h"
#include "api/cassandra/protocol/response/response_reader.h"

namespace orrery::cli {
namespace {

constexpr int16_t kStreamsMax = 512;
constexpr size_t kCqlResponseBytesMax = size_t{256} << 20;
constexpr std::chrono::seconds kCqlRetryTimeMax{60};
constexpr std::chrono::milliseconds kCqlRetryDelay{20};

Error ErrorOfCql(const cassandra::ErrorResponse& response) {
  using cassandra::ErrorCode;
  Code code = Code::kInvalidArgument;
  switch (response.code) {
    case ErrorCode::kAlreadyExists:
      code = Code::kAlreadyExists;
      break;
    case ErrorCode::kOverloaded:
    case ErrorCode::kBootstrapping:
      code = Code::kThrottled;
      break;
    case ErrorCode::kUnauthorized:
    case ErrorCode::kBadCredentials:
      code = Code::kUnauthorized;
      break;
    case ErrorCode::kServerError:
    case ErrorCode::kUnavailable:
    case ErrorCode::kWriteTimeout:
    case ErrorCode::kReadTimeout:
      code = Code::kUnavailable;
      break;
    default:
      break;
  }
  std::string message(response.message);
  std::ranges::replace(message, '\n', ' ');
  return Error(code, std::move(message));
}

std::unexpected<Error> Unexpected() {
  return Fail(Code::kInternal, "the server's answer is not one to the request");
}

}  // namespace

CqlClient::CqlClient(net::BlockingSocket socket)
    : socket_(std::move(socket)), decoder_(cassandra::Direction::kResponse, kCqlResponseBytesMax) {}

Result<CqlClient> CqlClient::Connect(const CqlAddress& address) {
  ORRERY_ASSIGN(net::BlockingSocket socket, net::BlockingSocket::Connect(address.socket));
  CqlClient client(std::move(socket));
  ORRERY_TRY(client.LogIn(address));
  return client;
}

Status CqlClient::LogIn(const CqlAddress& address) {
  bool must_log_in = false;
  cassandra::StartupRequest startup;
  startup.options = {{"CQL_VERSION", "3.0.0"}};
  ORRERY_TRY(Ask(startup, [&](const cassandra::Response& response) -> Status {
    must_log_in = std::holds_alternative<cassandra::AuthenticateResponse>(response);
    if (must_log_in || std::holds_alternative<cassandra::ReadyResponse>(response)) return {};
    return Unexpected();
  }));
  decoder_.Start(cassandra::ProtocolVersion::kV4, cassandra::Compression::kNone);
  if (!must_log_in) return {};
  std::string token(1, '\0');
  token.append(address.user).append(1, '\0').append(address.password);
  return Ask(cassandra::AuthResponseRequest{token},
             [](const cassandra::Response& response) -> Status {
               if (std::holds_alternative<cassandra::AuthSuccessResponse>(response)) return {};
               return Unexpected();
             });
}

Status CqlClient::Send(const cassandra::Request& request, int16_t stream) {
  std::string bytes;
  cassandra::RequestMessage message;
  message.request = request;
  cassandra::WriteRequest(bytes, {.version = cassandra::ProtocolVersion::kV4, .stream = stream},
                          message);
  return socket_.Send(bytes);
}

Status CqlClient::Receive(
    const std::function<Status(int16_t stream, const cassandra::Response& response)>& use) {
  for (;;) {
    std::string_view rest = input_;
    auto envelope = decoder_.Next(rest);
    if (!envelope.has_value()) return Fail(Code::kUnavailable, "the answer is not CQL");
    if (envelope->has_value()) {
      ORRERY_ASSIGN(const cassandra::ResponseMessage message,
                    cassandra::DecodeResponse(**envelope));
      const Status status = use((*envelope)->header.stream, message.response);
      input_.erase(0, input_.size() - rest.size());
      return status;
    }
    input_.erase(0, input_.size() - rest.size());
    ORRERY_TRY(socket_.Receive(input_));
  }
}

Status CqlClient::Ask(const cassandra::Request& request,
                      const std::function<Status(const cassandra::Response& response)>& use) {
  const auto give_up = std::chrono::steady_clock::now() + kCqlRetryTimeMax;
  for (;;) {
    ORRERY_TRY(Send(request, 0));
    Status status = Receive([&](int16_t, const cassandra::Response& response) -> Status {
      if (const auto* error = std::get_if<cassandra::ErrorResponse>(&response))
        return Fail(ErrorOfCql(*error));
      return use(response);
    });
    if (status.has_value() || status.error().code() != Code::kThrottled ||
        std::chrono::steady_clock::now() > give_up)
      return status;
    std::this_thread::sleep_for(kCqlRetryDelay);
  }
}

Result<CqlClient::Rows> CqlClient::Query(std::string_view statement,
                                         const std::optional<std::string>& paging_state,
                                         std::optional<int32_t> page_rows) {
  Rows rows;
  cassandra::QueryRequest request;
  request.query = statement;
  request.parameters.page_rows = page_rows;
  if (paging_state.has_value()) request.parameters.paging_state = *paging_state;
  request.parameters.context.consistency = cassandra::Consistency::kLocalQuorum;
  ORRERY_TRY(Ask(request, [&](const cassandra::Response& response) -> Status {
    const auto* found = std::get_if<cassandra::RowsResult>(&response);
    if (found == nullptr) return {};
    for (const auto& column : found->columns) rows.columns.emplace_back(column.name);
    for (size_t i = 0; i < found->row_count; ++i) {
      auto& row = rows.rows.emplace_back();
      for (size_t j = 0; j < found->column_count; ++j) {
        const auto& cell = found->cells[i * found->column_count + j];
        row.push_back(cell.has_value() ? std::optional<std::string>(*cell) : std::nullopt);
      }
    }
    if (found->paging_state.has_value()) rows.paging_state = std::string(*found->paging_state);
    return {};
  }));
  return rows;
}

Result<CqlClient::Prepared> CqlClient::Prepare(std::string_view statement) {
  Prepared prepared;
  ORRERY_TRY(Ask(cassandra::PrepareRequest{.query = statement, .keyspace = std::nullopt},
                 [&](const cassandra::Response& response) -> Status {
                   const auto* found = std::get_if<cassandra::PreparedResult>(&response);
                   if (found == nullptr) return Unexpected();
                   prepared.id = found->id;
                   for (const auto& variable : found->variables)
                     prepared.variables.emplace_back(variable.name);
                   return {};
                 }));
  return prepared;
}

Status CqlClient::ExecuteAll(const Prepared& statement, const std::vector<std::string>& values,
                             const std::function<void(size_t index, const Error& why)>& failed) {
  std::vector<size_t> row_of(kStreamsMax);
  std::deque<size_t> waiting;
  for (size_t i = 0; i < values.size(); ++i) waiting.push_back(i);
  std::vector<int16_t> free_streams;
  for (int16_t stream = kStreamsMax - 1; stream >= 0; --stream) free_streams.push_back(stream);
  const auto give_up = std::chrono::steady_clock::now() + kCqlRetryTimeMax;
  size_t under_way = 0;
  while (!waiting.empty() || under_way > 0) {
    std::string bytes;
    while (!waiting.empty() && !free_streams.empty()) {
      const int16_t stream = free_streams.back();
      free_streams.pop_back();
      row_of[static_cast<size_t>(stream)] = waiting.front();
      cassandra::ExecuteRequest request;
      request.id = statement.id;
      request.parameters.context.consistency = cassandra::Consistency::kLocalQuorum;
      request.parameters.values = {{cassandra::BoundValue::State::kValue, values[waiting.front()]}};
      cassandra::WriteExecute(bytes, {.version = cassandra::ProtocolVersion::kV4, .stream = stream},
                              request);
      waiting.pop_front();
      ++under_way;
    }
    if (!bytes.empty()) ORRERY_TRY(socket_.Send(bytes));
    ORRERY_TRY(Receive([&](int16_t stream, const cassandra::Response& response) -> Status {
      if (stream < 0 || stream >= kStreamsMax) return Unexpected();
      const size_t row = row_of[static_cast<size_t>(stream)];
      free_streams.push_back(stream);
      --under_way;
      const auto* error = std::get_if<cassandra::ErrorResponse>(&response);
      if (error == nullptr) return {};
      const Error why = ErrorOfCql(*error);
      if (why.code() == Code::kThrottled && std::chrono::steady_clock::now() < give_up) {
        waiting.push_back(row);
        if (under_way == 0) std::this_thread::sleep_for(kCqlRetryDelay);
      } else {
        failed(row, why);
      }
      return {};
    }));
  }
  return {};
}

}  // namespace orrery::cli
