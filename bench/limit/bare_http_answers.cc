#include "limit/bare_http_answers.h"

#include <fmt/format.h>
#include <rocksdb/slice.h>

#include <iterator>

#include "cql/load/row_maker.h"
#include "sql/document_maker.h"

namespace orrery::bench {
namespace {

constexpr std::string_view kHeadEnd = "\r\n\r\n";

// The key of the row that stands for the document; empty when the target names none.
std::string_view KeyOf(std::string_view target) {
  static const std::string document = DocumentMaker::IdOf(0);
  static thread_local std::string key;  // its memory is used again
  RowMaker::MakeKey(0, key);
  // Both end in the number, with as many digits.
  const size_t digits = document.size() - document.find('0');
  if (target.size() < digits) return {};
  key.replace(key.size() - digits, digits, target.substr(target.size() - digits));
  return key;
}

std::string_view TargetOf(std::string_view head) {
  const size_t begin = head.find(' ');
  if (begin == std::string_view::npos) return {};
  const size_t end = head.find(' ', begin + 1);
  if (end == std::string_view::npos) return {};
  return head.substr(begin + 1, end - begin - 1);
}

}  // namespace

size_t TakeBareHttpRequest(std::string_view input, const BareStore& store, std::string& out) {
  const size_t head_bytes = input.find(kHeadEnd);
  if (head_bytes == std::string_view::npos) return 0;
  const std::string_view key = KeyOf(TargetOf(input.substr(0, head_bytes)));
  static thread_local rocksdb::PinnableSlice value;  // its buffer is used again
  if (!key.empty() && store.Get(key, value)) {
    fmt::format_to(std::back_inserter(out),
                   "HTTP/1.1 200 OK\r\nContent-Type: application/octet-stream\r\n"
                   "Content-Length: {}\r\n\r\n",
                   key.size() + value.size());
    out.append(key).append(value.ToStringView());
  } else {
    out += "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n";
  }
  value.Reset();  // lets go of the store, which ends before the thread
  return head_bytes + kHeadEnd.size();
}

}  // namespace orrery::bench
