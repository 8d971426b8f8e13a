#include "gremlin/traversal_maker.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <iterator>
#include <vector>

#include "net/websocket/websocket_frame.h"

namespace orrery::bench {
namespace {

constexpr std::string_view kMime = "!application/vnd.gremlin-v3.0+json";
constexpr net::WebSocketMask kMask{0x1f, 0x2e, 0x3d, 0x4c};
constexpr uint64_t kNumberMask = (uint64_t{1} << 48) - 1;

// Scatters numbers (the finaliser of splitmix64).
uint64_t ScatterEdge(uint64_t number) {
  number += 0x9e3779b97f4a7c15;
  number = (number ^ (number >> 30)) * 0xbf58476d1ce4e5b9;
  number = (number ^ (number >> 27)) * 0x94d049bb133111eb;
  return number ^ (number >> 31);
}

std::string VertexTexts() {
  std::string text = "g";
  for (uint64_t i = 0; i < TraversalMaker::kOfOneBatch; ++i) {
    fmt::format_to(std::back_inserter(text),
                   ".addV('person').property(T.id,a{0}).property('name',a{0}).property('rank',r{0})"
                   ".property('text',t)",
                   i);
  }
  return text + ".count()";
}

std::string EdgeTexts(std::string_view label) {
  std::string text = "g";
  for (uint64_t i = 0; i < TraversalMaker::kOfOneBatch; ++i)
    fmt::format_to(std::back_inserter(text), ".V(a{0}).addE('{1}').to(__.V(b{0}))", i, label);
  return text + ".count()";
}

constexpr std::string_view kTexts[] = {
    "g.V(x)",
    "g.V(x).property('rank',n)",
    "g.addV('person').property(T.id,x).property('name',x).property('rank',n).property('text',t)",
    "g.V(x).out('knows').dedup().count()",
    "g.V(x).out('knows').out('knows').dedup().count()",
    "g.V(x).out('knows').out('knows').out('knows').dedup().count()",
    "g.V(x).in('follows').count()",
    "g.V(x).in('knows').dedup().count()",
    "g.V().has('person','rank',P.between(n,m)).count()",
    "g.V().count()",
};

void AppendLong(std::string& out, std::string_view name, uint64_t number) {
  fmt::format_to(std::back_inserter(out), R"("{}",{{"@type":"g:Int64","@value":{}}},)", name,
                 number);
}
void AppendId(std::string& out, std::string_view name, uint64_t number) {
  fmt::format_to(std::back_inserter(out), R"("{}","v{}",)", name, number);
}

}  // namespace

std::string RequestIdText(uint32_t id, uint64_t number) {
  number &= kNumberMask;
  return fmt::format("{:08x}-{:04x}-4000-8000-0000{:08x}", number >> 16, number & 0xffff, id);
}

std::optional<RequestNumber> ReadRequestId(std::string_view text) {
  if (text.size() < 36) return std::nullopt;
  uint64_t high = 0;
  uint64_t low = 0;
  RequestNumber found;
  const auto read = [&](size_t begin, size_t size, auto& value) {
    const char* end = text.data() + begin + size;
    return std::from_chars(text.data() + begin, end, value, 16).ptr == end;
  };
  if (!read(0, 8, high) || !read(9, 4, low) || !read(28, 8, found.id)) return std::nullopt;
  found.number = high << 16 | low;
  return found;
}

TraversalMaker::TraversalMaker(const GremlinOptions& options)
    : vertices_(options.vertices),
      value_(options.value_bytes, 'x'),
      aliases_(options.graph == "g"
                   ? std::string(R"({"@type":"g:Map","@value":["g","g"]})")
                   : fmt::format(R"({{"@type":"g:Map","@value":["g","{}"]}})", options.graph)),
      vertex_texts_(VertexTexts()),
      edge_texts_(EdgeTexts("knows")),
      hub_texts_(EdgeTexts("follows")) {}

uint64_t TraversalMaker::Target(uint64_t number, uint64_t which) const {
  return ScatterEdge(number * kOfOneVertex + which) % vertices_;
}

uint64_t TraversalMaker::Reached(uint64_t number, int hops) const {
  std::vector<uint64_t> reached = {number};
  for (int hop = 0; hop < hops; ++hop) {
    std::vector<uint64_t> next;
    for (const uint64_t each : reached) {
      for (uint64_t i = 0; i < kOfOneVertex; ++i) next.push_back(Target(each, i));
    }
    std::ranges::sort(next);
    next.erase(std::ranges::unique(next).begin(), next.end());
    reached = std::move(next);
  }
  return reached.size();
}

void TraversalMaker::Append(GremlinWorkloadKind kind, uint32_t id, uint64_t number,
                            std::string& out) const {
  std::string bindings;
  std::string_view text;
  switch (kind) {
    case GremlinWorkloadKind::kVertices:
      text = vertex_texts_;
      for (uint64_t i = 0; i < kOfOneBatch; ++i) {
        AppendId(bindings, fmt::format("a{}", i), number * kOfOneBatch + i);
        AppendLong(bindings, fmt::format("r{}", i), number * kOfOneBatch + i);
      }
      break;
    case GremlinWorkloadKind::kEdges:
      text = edge_texts_;
      for (uint64_t i = 0; i < kOfOneBatch; ++i) {
        const uint64_t edge = number * kOfOneBatch + i;
        AppendId(bindings, fmt::format("a{}", i), edge / kOfOneVertex);
        AppendId(bindings, fmt::format("b{}", i), Target(edge / kOfOneVertex, edge % kOfOneVertex));
      }
      break;
    case GremlinWorkloadKind::kHubEdges:
      text = hub_texts_;
      for (uint64_t i = 0; i < kOfOneBatch; ++i) {
        AppendId(bindings, fmt::format("a{}", i), number * kOfOneBatch + i);
        AppendId(bindings, fmt::format("b{}", i), vertices_);
      }
      break;
    case GremlinWorkloadKind::kCount:
      text = kTexts[static_cast<size_t>(kind)];
      break;
    case GremlinWorkloadKind::kRange:
      text = kTexts[static_cast<size_t>(kind)];
      AppendLong(bindings, "n", number / kOfOneRange * kOfOneRange);
      AppendLong(bindings, "m", number / kOfOneRange * kOfOneRange + kOfOneRange);
      break;
    default:
      text = kTexts[static_cast<size_t>(kind)];
      AppendId(bindings, "x", kind == GremlinWorkloadKind::kHub ? vertices_ : number);
      if (kind == GremlinWorkloadKind::kProperty || kind == GremlinWorkloadKind::kAddVertex)
        AppendLong(bindings, "n", number);
  }
  if (kind == GremlinWorkloadKind::kAddVertex || kind == GremlinWorkloadKind::kVertices)
    fmt::format_to(std::back_inserter(bindings), R"("t","{}",)", value_);
  if (!bindings.empty()) bindings.pop_back();
  const std::string message = fmt::format(
      R"({}{{"requestId":{{"@type":"g:UUID","@value":"{}"}},"op":"eval","processor":"","args":)"
      R"({{"@type":"g:Map","@value":["gremlin","{}","language","gremlin-groovy","aliases",{},)"
      R"("bindings",{{"@type":"g:Map","@value":[{}]}}]}}}})",
      kMime, RequestIdText(id, number), text, aliases_, bindings);
  net::AppendMaskedFrame(out, net::WebSocketOpcode::kBinary, message, kMask);
}

bool TraversalMaker::IsGood(GremlinWorkloadKind kind, uint64_t number,
                            std::string_view answer) const {
  const size_t begin = answer.find(R"("data":)");
  if (begin == std::string_view::npos) return false;
  const std::string_view data = answer.substr(begin);
  const auto is_count = [&](uint64_t count) {
    return data.contains(fmt::format(R"([{{"@type":"g:Int64","@value":{}}}])", count));
  };
  switch (kind) {
    case GremlinWorkloadKind::kVertex:
    case GremlinWorkloadKind::kProperty:
    case GremlinWorkloadKind::kAddVertex:
      return data.contains(R"("g:Vertex")") && data.contains(fmt::format(R"("v{}")", number));
    case GremlinWorkloadKind::kOneHop:
      return is_count(Reached(number, 1));
    case GremlinWorkloadKind::kTwoHops:
      return is_count(Reached(number, 2));
    case GremlinWorkloadKind::kThreeHops:
      return is_count(Reached(number, 3));
    case GremlinWorkloadKind::kHub:
      return is_count(kHubEdges);
    case GremlinWorkloadKind::kRange:
      return is_count(kOfOneRange);
    case GremlinWorkloadKind::kCount:
      return is_count(vertices_ + 1);
    case GremlinWorkloadKind::kIncoming:
      return data.contains(R"([{"@type":"g:Int64","@value":)");
    default:
      return is_count(1);
  }
}

}  // namespace orrery::bench
