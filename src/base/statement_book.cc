#include "base/statement_book.h"

#include <algorithm>
#include <atomic>
#include <map>
#include <memory>
#include <tuple>
#include <unordered_map>

#include "base/bytes.h"
#include "base/hash128.h"
#include "base/murmur3.h"
#include "base/mutex.h"
#include "base/thread_shard.h"

namespace orrery {
namespace {

std::atomic<bool> book_is_open{true};

struct HashOfHash {
  size_t operator()(const Hash128& hash) const { return static_cast<size_t>(hash.low); }
};

using StatementMap = std::map<std::string, std::shared_ptr<StatementStatistics>, std::less<>>;

struct alignas(kCacheLineBytes) BookShard {
  Mutex mutex;
  // By all that identifies them.
  StatementMap statements GUARDED_BY(mutex);
  std::unordered_map<Hash128, std::shared_ptr<StatementStatistics>, HashOfHash> by_identity
      GUARDED_BY(mutex);
};

std::array<BookShard, kThreadShards>& Shards() {
  static std::array<BookShard, kThreadShards> shards;
  return shards;
}

std::string KeyOfStatement(const StatementName& name, std::string_view text) {
  std::string key;
  AppendLengthPrefixed(key, name.api);
  AppendLengthPrefixed(key, name.database);
  AppendLengthPrefixed(key, name.container);
  key += text;
  return key;
}

Hash128 IdentityOf(const StatementName& name) {
  thread_local std::string bytes;
  bytes.clear();
  AppendLengthPrefixed(bytes, name.api);
  AppendLengthPrefixed(bytes, name.database);
  AppendLengthPrefixed(bytes, name.container);
  bytes += name.identity;
  return Murmur3(bytes);
}

// Makes room by leaving out a tenth: those that came least often.
void LeaveOutRarest(BookShard& shard) REQUIRES(shard.mutex) {
  std::vector<uint64_t> counts;
  for (const auto& [key, one] : shard.statements) counts.push_back(one->count);
  const auto tenth = counts.begin() + static_cast<ptrdiff_t>(counts.size() / 10);
  std::ranges::nth_element(counts, tenth);
  const uint64_t least = *tenth;
  size_t left = counts.size() / 10 + 1;
  std::erase_if(shard.statements, [&](const auto& entry) {
    if (left == 0 || entry.second->count > least) return false;
    --left;
    return true;
  });
  shard.by_identity.clear();
}

void AddRun(StatementStatistics& to, const StatementRun& run) {
  ++to.count;
  if (run.failed) ++to.failed;
  const int64_t micros = run.took.count();
  to.micros += micros;
  to.micros_max = std::max(to.micros_max, micros);
  to.hundredths += run.charge.hundredths();
  if (run.partitions > 0) {
    ++to.known;
    to.partitions += run.partitions;
    if (run.partitions == 1) ++to.in_one;
  }
  ++to.by_time[static_cast<size_t>(std::ranges::lower_bound(kStatementMicros, micros) -
                                   kStatementMicros.begin())];
}

bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool IsWordCharacter(char c) {
  return IsDigit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$' ||
         c == '@' || static_cast<unsigned char>(c) >= 0x80;
}
bool IsHexDigit(char c) {
  return IsDigit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}
bool IsBlank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

// The length of a UUID at the beginning; 0: there is none.
size_t UuidLength(std::string_view text) {
  constexpr std::string_view kForm = "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx";
  if (text.size() < kForm.size()) return 0;
  for (size_t i = 0; i < kForm.size(); ++i)
    if (kForm[i] == '-' ? text[i] != '-' : !IsHexDigit(text[i])) return 0;
  return text.size() > kForm.size() && IsWordCharacter(text[kForm.size()]) ? 0 : kForm.size();
}

// The end of a quoted text that begins at `begin`; quotes inside are doubled or escaped.
size_t EndOfQuoted(std::string_view text, size_t begin) {
  const char quote = text[begin];
  for (size_t at = begin + 1; at < text.size(); ++at) {
    if (text[at] == '\\') {
      ++at;
    } else if (text[at] == quote) {
      if (at + 1 < text.size() && text[at + 1] == quote) {
        ++at;
      } else {
        return at + 1;
      }
    }
  }
  return text.size();
}

// The end of a comment that begins at `at`; `at` when none does.
size_t EndOfComment(std::string_view text, size_t at) {
  const std::string_view rest = text.substr(at);
  if (rest.starts_with("--")) return std::min(text.find('\n', at), text.size());
  if (!rest.starts_with("/*")) return at;
  const size_t end = text.find("*/", at + 2);
  return end == std::string_view::npos ? text.size() : end + 2;
}

class Normalizer {
 public:
  explicit Normalizer(StatementQuotes quotes) : quotes_(quotes) {}

  std::string Run(std::string_view text) {
    size_t at = 0;
    while (at < text.size() && out_.size() < kStatementTextMax) {
      const char c = text[at];
      if (const size_t end = EndOfComment(text, at); end > at) {
        at = end;
        blank_ = true;
      } else if (IsBlank(c)) {
        blank_ = true;
        ++at;
      } else if (c == '\'' || c == '"') {
        const size_t quoted = EndOfQuoted(text, at);
        // A name: c["total"], or a quoted name of CQL.
        const bool is_name =
            c == '"' && (quotes_ == StatementQuotes::kSingle || out_.ends_with('['));
        is_name ? Put(text.substr(at, quoted - at)) : PutValue();
        at = quoted;
      } else if (const size_t uuid = UuidLength(text.substr(at)); uuid > 0) {
        PutValue();
        at += uuid;
      } else if (IsDigit(c)) {
        // With what belongs to it: 1.5e+3, 0xff, 10L, 1h30m.
        while (at < text.size() && (IsWordCharacter(text[at]) || text[at] == '.' ||
                                    ((text[at] == '+' || text[at] == '-') &&
                                     (text[at - 1] == 'e' || text[at - 1] == 'E'))))
          ++at;
        PutValue();
      } else if (IsWordCharacter(c)) {
        const size_t begin = at;
        while (at < text.size() && IsWordCharacter(text[at])) ++at;
        Put(text.substr(begin, at - begin));
      } else {
        Put(text.substr(at, 1));
        ++at;
      }
    }
    if (out_.size() > kStatementTextMax) out_.resize(kStatementTextMax);
    return std::move(out_);
  }

 private:
  void Put(std::string_view token) {
    if (blank_ && !out_.empty() && token != ",") out_ += ' ';
    blank_ = false;
    out_ += token;
  }
  void PutValue() {
    // (?, ?, ?) and (?, ?) are the same statement.
    for (const std::string_view list : {"?,", "?, ..,"}) {
      if (!out_.ends_with(list)) continue;
      out_.resize(out_.size() - list.size());
      out_ += "?, ..";
      blank_ = false;
      return;
    }
    Put("?");
  }

  const StatementQuotes quotes_;
  std::string out_;
  bool blank_ = false;  // before the next token
};

}  // namespace

StatementStatistics& StatementStatistics::operator+=(const StatementStatistics& other) {
  count += other.count;
  failed += other.failed;
  micros += other.micros;
  micros_max = std::max(micros_max, other.micros_max);
  hundredths += other.hundredths;
  known += other.known;
  partitions += other.partitions;
  in_one += other.in_one;
  for (size_t i = 0; i < by_time.size(); ++i) by_time[i] += other.by_time[i];
  return *this;
}

void SetStatementBook(bool enabled) { book_is_open.store(enabled); }
bool StatementBookIsOpen() { return book_is_open.load(std::memory_order_relaxed); }

bool NoteKnownStatement(const StatementName& name, const StatementRun& run) {
  const Hash128 identity = IdentityOf(name);
  BookShard& shard = Shards()[ThreadShard()];
  const MutexLock lock(shard.mutex);
  const auto found = shard.by_identity.find(identity);
  if (found == shard.by_identity.end()) return false;
  AddRun(*found->second, run);
  return true;
}

void NoteNewStatement(const StatementName& name, const StatementRun& run, std::string shape) {
  const Hash128 identity = IdentityOf(name);
  BookShard& shard = Shards()[ThreadShard()];
  const MutexLock lock(shard.mutex);
  std::string key = KeyOfStatement(name, shape);
  auto known = shard.statements.find(key);
  if (known == shard.statements.end()) {
    if (shard.statements.size() >= kStatementsMax) LeaveOutRarest(shard);
    auto made = std::make_shared<StatementStatistics>();
    made->api = name.api;
    made->database = name.database;
    made->container = name.container;
    made->text = std::move(shape);
    known = shard.statements.emplace(std::move(key), std::move(made)).first;
  }
  if (shard.by_identity.size() >= kStatementIdentitiesMax) shard.by_identity.clear();
  shard.by_identity.emplace(identity, known->second);
  AddRun(*known->second, run);
}

std::vector<StatementStatistics> ListStatements() {
  std::map<std::string, StatementStatistics> all;
  for (BookShard& shard : Shards()) {
    const MutexLock lock(shard.mutex);
    for (const auto& [key, one] : shard.statements) {
      const auto [found, is_new] = all.try_emplace(key, *one);
      if (!is_new) found->second += *one;
    }
  }
  std::vector<StatementStatistics> list;
  for (auto& [key, one] : all) list.push_back(std::move(one));
  std::ranges::sort(list, [](const StatementStatistics& a, const StatementStatistics& b) {
    return std::tie(b.hundredths, b.count, a.text) < std::tie(a.hundredths, a.count, b.text);
  });
  if (list.size() > kStatementsMax) list.resize(kStatementsMax);
  return list;
}

void ClearStatements() {
  for (BookShard& shard : Shards()) {
    const MutexLock lock(shard.mutex);
    shard.statements.clear();
    shard.by_identity.clear();
  }
}

std::string NormalizeStatement(std::string_view text, StatementQuotes quotes) {
  return Normalizer(quotes).Run(text);
}

}  // namespace orrery
