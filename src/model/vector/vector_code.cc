#include "model/vector/vector_code.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <utility>

namespace orrery::model {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr size_t kHeadBytes = 1 + sizeof(double) + sizeof(float);
constexpr double kByteMax = 127;
// Beyond what sums of 4,096 products are wrong by.
constexpr double kRounding = 1e-9;

template <typename T>
void AppendLittle(std::string& out, T value) {
  static_assert(std::endian::native == std::endian::little);
  out.append(reinterpret_cast<const char*>(&value), sizeof(value));
}
template <typename T>
T LoadLittle(const char* at) {
  T value;
  std::memcpy(&value, at, sizeof(value));
  return value;
}

float RoundedUp(double value) {
  const auto near = static_cast<float>(value);
  if (!std::isfinite(near)) return std::numeric_limits<float>::infinity();
  return std::nextafter(near, std::numeric_limits<float>::infinity());
}

// An encoded vector body, and its distance from the vector that it encodes.
struct Body {
  std::string bytes;
  double square_error = 0;
};

Body FloatsOf(std::span<const double> vector) {
  Body body;
  for (const double number : vector) {
    const auto component = static_cast<float>(number);
    const double beside = number - double{component};
    body.square_error += beside * beside;
    AppendLittle(body.bytes, component);
  }
  return body;
}

Body BytesOf(std::span<const double> vector) {
  Body body;
  double greatest = 0;
  for (const double number : vector) greatest = std::max(greatest, std::abs(number));
  const auto scale = static_cast<float>(greatest / kByteMax);
  AppendLittle(body.bytes, scale);
  for (const double number : vector) {
    const double steps =
        scale > 0 ? std::clamp(std::round(number / double{scale}), -kByteMax, kByteMax) : 0;
    const double beside = number - steps * double{scale};
    body.square_error += beside * beside;
    body.bytes.push_back(static_cast<char>(static_cast<int8_t>(steps)));
  }
  return body;
}

// Sums in lanes, which a machine computes side by side.
constexpr size_t kLanes = 8;
template <typename Term>
double Sum(size_t count, Term term) {
  std::array<double, kLanes> lanes{};
  size_t i = 0;
  for (; i + kLanes <= count; i += kLanes)
    for (size_t lane = 0; lane < kLanes; ++lane) lanes[lane] += term(i + lane);
  for (; i < count; ++i) lanes[0] += term(i);
  double sum = 0;
  for (const double lane : lanes) sum += lane;
  return sum;
}

}  // namespace

std::string EncodeVector(std::span<const double> vector, VectorForm form) {
  const double length = LengthOf(vector);
  Body body = form == VectorForm::kFloats ? FloatsOf(vector) : BytesOf(vector);
  float error = RoundedUp(std::sqrt(body.square_error));
  if (!std::isfinite(length) || !std::isfinite(error)) {
    error = std::numeric_limits<float>::infinity();
    std::ranges::fill(body.bytes, '\0');
  } else if (body.square_error == 0) {
    error = 0;
  }
  std::string code;
  code.reserve(kHeadBytes + body.bytes.size());
  code.push_back(static_cast<char>(form));
  AppendLittle(code, length);
  AppendLittle(code, error);
  code += body.bytes;
  return code;
}

VectorEstimator::VectorEstimator(VectorMeasure measure, std::vector<double> target)
    : measure_(measure), target_(std::move(target)), length_(LengthOf(target_)) {}

std::optional<MeasureEstimate> VectorEstimator::Of(std::string_view code) const {
  if (code.size() < kHeadBytes) return std::nullopt;
  const auto form = static_cast<VectorForm>(code[0]);
  const auto length = LoadLittle<double>(code.data() + 1);
  const double error = LoadLittle<float>(code.data() + 1 + sizeof(double));
  if (std::isnan(length) || std::isnan(error) || length < 0 || error < 0) return std::nullopt;
  const size_t count = target_.size();
  const char* at = code.data() + kHeadBytes;
  const size_t bytes = code.size() - kHeadBytes;
  const double* target = target_.data();
  const bool is_distance = IsDistance(measure_);
  const auto compare = [&](auto component) {
    const double sum = Sum(count, [&](size_t i) {
      if (!is_distance) return component(i) * target[i];
      const double difference = component(i) - target[i];
      return difference * difference;
    });
    if (!is_distance) return ByProduct(sum, length, error);
    return MeasureEstimate{std::sqrt(sum), error + kRounding * (length + length_)};
  };
  MeasureEstimate estimate;
  if (form == VectorForm::kFloats && bytes == count * sizeof(float)) {
    estimate =
        compare([at](size_t i) { return double{LoadLittle<float>(at + i * sizeof(float))}; });
  } else if (form == VectorForm::kBytes && bytes == count + sizeof(float)) {
    const double scale = LoadLittle<float>(at);
    at += sizeof(float);
    estimate = compare([at, scale](size_t i) { return scale * static_cast<int8_t>(at[i]); });
  } else {
    return std::nullopt;
  }
  if (!std::isfinite(estimate.value) || std::isnan(estimate.error))
    return MeasureEstimate{0, kInfinity};
  return estimate;
}

MeasureEstimate VectorEstimator::ByProduct(double product, double length, double error) const {
  const double wrong = (error + kRounding * length) * length_;
  if (measure_ == VectorMeasure::kDotProduct) return {product, wrong};
  // Without a length there is no direction.
  if (length == 0 || length_ == 0) return {0, -1};
  return {product / length / length_, wrong / length / length_};
}

}  // namespace orrery::model
