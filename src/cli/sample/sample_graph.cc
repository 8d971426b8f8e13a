#include "cli/sample/sample_graph.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "model/document/document_builder.h"

namespace orrery::cli {
namespace {

constexpr std::string_view kOwnKey = "_pk";

// A place where somebody has lived; no end: lives there still.
struct Stay {
  std::string_view place;
  int from = 0;
  int to = 0;
};
struct SampleVertex {
  int id;
  std::string_view label;
  std::string_view name;
  int age = 0;              // 0: none
  std::string_view lang{};  // empty: none
  std::vector<Stay> stays{};
};
struct SampleEdge {
  int id;
  std::string_view label;
  int out;
  int in;
  double weight = 0;  // 0: none
  int since = 0;
  int skill = 0;
};
struct SampleSource {
  std::string_view name;
  bool has_float_weights = false;
  std::vector<SampleVertex> vertices;
  std::vector<SampleEdge> edges;
};

SampleSource Modern() {
  return {.name = "modern",
          .vertices = {{.id = 1, .label = "person", .name = "marko", .age = 29},
                       {.id = 2, .label = "person", .name = "vadas", .age = 27},
                       {.id = 3, .label = "software", .name = "lop", .lang = "java"},
                       {.id = 4, .label = "person", .name = "josh", .age = 32},
                       {.id = 5, .label = "software", .name = "ripple", .lang = "java"},
                       {.id = 6, .label = "person", .name = "peter", .age = 35}},
          .edges = {{.id = 7, .label = "knows", .out = 1, .in = 2, .weight = 0.5},
                    {.id = 8, .label = "knows", .out = 1, .in = 4, .weight = 1.0},
                    {.id = 9, .label = "created", .out = 1, .in = 3, .weight = 0.4},
                    {.id = 10, .label = "created", .out = 4, .in = 5, .weight = 1.0},
                    {.id = 11, .label = "created", .out = 4, .in = 3, .weight = 0.4},
                    {.id = 12, .label = "created", .out = 6, .in = 3, .weight = 0.2}}};
}

SampleSource Classic() {
  SampleSource classic = Modern();
  classic.name = "classic";
  classic.has_float_weights = true;
  for (SampleVertex& vertex : classic.vertices) vertex.label = "vertex";
  return classic;
}

SampleSource Crew() {
  return {
      .name = "crew",
      .vertices =
          {{.id = 1,
            .label = "person",
            .name = "marko",
            .stays = {{"san diego", 1997, 2001},
                      {"santa cruz", 2001, 2004},
                      {"brussels", 2004, 2005},
                      {"santa fe", 2005}}},
           {.id = 7,
            .label = "person",
            .name = "stephen",
            .stays = {{"centreville", 1990, 2000}, {"dulles", 2000, 2006}, {"purcellville", 2006}}},
           {.id = 8,
            .label = "person",
            .name = "matthias",
            .stays = {{"bremen", 2004, 2007},
                      {"baltimore", 2007, 2011},
                      {"oakland", 2011, 2014},
                      {"seattle", 2014}}},
           {.id = 9,
            .label = "person",
            .name = "daniel",
            .stays = {{"spremberg", 1982, 2005}, {"kaiserslautern", 2005, 2009}, {"aachen", 2009}}},
           {.id = 10, .label = "software", .name = "gremlin"},
           {.id = 11, .label = "software", .name = "tinkergraph"}},
      .edges = {{.id = 13, .label = "develops", .out = 1, .in = 10, .since = 2009},
                {.id = 14, .label = "develops", .out = 1, .in = 11, .since = 2010},
                {.id = 15, .label = "uses", .out = 1, .in = 10, .skill = 4},
                {.id = 16, .label = "uses", .out = 1, .in = 11, .skill = 5},
                {.id = 17, .label = "develops", .out = 7, .in = 10, .since = 2010},
                {.id = 18, .label = "develops", .out = 7, .in = 11, .since = 2011},
                {.id = 19, .label = "uses", .out = 7, .in = 10, .skill = 5},
                {.id = 20, .label = "uses", .out = 7, .in = 11, .skill = 4},
                {.id = 21, .label = "develops", .out = 8, .in = 10, .since = 2012},
                {.id = 22, .label = "uses", .out = 8, .in = 10, .skill = 3},
                {.id = 23, .label = "uses", .out = 8, .in = 11, .skill = 3},
                {.id = 24, .label = "uses", .out = 9, .in = 10, .skill = 5},
                {.id = 25, .label = "uses", .out = 9, .in = 11, .skill = 3},
                {.id = 26, .label = "traverses", .out = 10, .in = 11}}};
}

std::string KeyOf(const SampleVertex& vertex, std::string_view partition_key) {
  return partition_key == kOwnKey ? std::to_string(vertex.id) : std::string(vertex.label);
}

// A property with one value. Its id is unique within the graph, as TinkerPop has it.
template <typename Value>
void AppendProperty(model::DocumentBuilder& builder, const SampleVertex& vertex,
                    std::string_view key, const Value& append) {
  builder.OpenArray(key).OpenObject("0");
  builder.AppendString("id", fmt::format("{}|{}", vertex.id, key));
  append(builder);
  builder.Close().Close();
}

model::Document VertexDocument(const SampleVertex& vertex, std::string_view partition_key) {
  model::DocumentBuilder builder;
  builder.AppendString("id", std::to_string(vertex.id));
  builder.AppendString("label", vertex.label);
  builder.AppendString("_idType", "int");
  builder.AppendString(partition_key, KeyOf(vertex, partition_key));
  AppendProperty(builder, vertex, "name",
                 [&](auto& value) { value.AppendString("_value", vertex.name); });
  if (vertex.age > 0)
    AppendProperty(builder, vertex, "age",
                   [&](auto& value) { value.AppendInt32("_value", vertex.age); });
  if (!vertex.lang.empty())
    AppendProperty(builder, vertex, "lang",
                   [&](auto& value) { value.AppendString("_value", vertex.lang); });
  if (vertex.stays.empty()) return std::move(builder).Finish();
  builder.OpenArray("location");
  for (size_t i = 0; i < vertex.stays.size(); ++i) {
    const Stay& stay = vertex.stays[i];
    builder.OpenObject(std::to_string(i));
    builder.AppendString("id", fmt::format("{}|location|{}", vertex.id, i));
    builder.AppendString("_value", stay.place);
    builder.OpenObject("_meta").AppendInt32("startTime", stay.from);
    if (stay.to > 0) builder.AppendInt32("endTime", stay.to);
    builder.Close().Close();
  }
  builder.Close();
  return std::move(builder).Finish();
}

model::Document EdgeDocument(const SampleEdge& edge, const SampleSource& source,
                             std::string_view partition_key) {
  const auto find = [&](int id) -> const SampleVertex& {
    return *std::ranges::find(source.vertices, id, &SampleVertex::id);
  };
  const SampleVertex& out = find(edge.out);
  const SampleVertex& in = find(edge.in);
  model::DocumentBuilder builder;
  builder.AppendString("id", std::to_string(edge.id));
  builder.AppendString("label", edge.label);
  builder.AppendString("_idType", "int");
  builder.AppendString(partition_key, KeyOf(out, partition_key));
  builder.AppendBool("_isEdge", true);
  builder.AppendString("_vertexId", std::to_string(out.id));
  builder.AppendString("_vertexIdType", "int");
  builder.AppendString("_vertexLabel", out.label);
  builder.AppendString("_sink", std::to_string(in.id));
  builder.AppendString("_sinkIdType", "int");
  builder.AppendString("_sinkLabel", in.label);
  builder.AppendString("_sinkPartition", KeyOf(in, partition_key));
  if (edge.weight > 0) builder.AppendDouble("weight", edge.weight);
  if (edge.since > 0) builder.AppendInt32("since", edge.since);
  if (edge.skill > 0) builder.AppendInt32("skill", edge.skill);
  if (edge.weight > 0 && source.has_float_weights) {
    builder.OpenObject("_types").AppendString("weight", "float");
    builder.Close();
  }
  return std::move(builder).Finish();
}

}  // namespace

std::span<const std::string_view> SampleGraphNames() {
  static constexpr std::array<std::string_view, 3> kNames = {"modern", "classic", "crew"};
  return kNames;
}

Result<SampleGraph> MakeSampleGraph(std::string_view name, std::string_view partition_key) {
  std::optional<SampleSource> source;
  if (name == "modern") source = Modern();
  if (name == "classic") source = Classic();
  if (name == "crew") source = Crew();
  if (!source.has_value()) {
    return Fail(Code::kNotFound, fmt::format("there is no sample graph '{}': choose one of {}",
                                             name, fmt::join(SampleGraphNames(), ", ")));
  }
  SampleGraph graph;
  for (const SampleVertex& vertex : source->vertices)
    graph.vertices.push_back(VertexDocument(vertex, partition_key));
  for (const SampleEdge& edge : source->edges)
    graph.edges.push_back(EdgeDocument(edge, *source, partition_key));
  return graph;
}

}  // namespace orrery::cli
