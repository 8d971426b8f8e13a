// The main() of a fuzz target outside the fuzz preset: feeds it the kept corpus and a bounded
// number of mutations, the same in every run. `make fuzz` runs the same targets under libFuzzer for
// long.
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <set>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

namespace {

constexpr int kMutations = 20'000;
constexpr size_t kInputBytesMax = 4'096;
constexpr uint32_t kSeed = 20'261'115;

void Run(const std::string& input) {
  LLVMFuzzerTestOneInput(reinterpret_cast<const uint8_t*>(input.data()), input.size());
}

std::string Mutate(std::string input, std::mt19937& random) {
  const int edits = 1 + static_cast<int>(random() % 4);
  for (int i = 0; i < edits; ++i) {
    const size_t at = input.empty() ? 0 : random() % input.size();
    switch (random() % 4) {
      case 0:
        input.insert(at, 1, static_cast<char>(random()));
        break;
      case 1:
        if (!input.empty()) input.erase(at, 1 + random() % 4);
        break;
      case 2:
        if (!input.empty()) input[at] = static_cast<char>(input[at] ^ (1 << random() % 8));
        break;
      default:
        if (!input.empty()) input.append(input, at, random() % 16);
        break;
    }
  }
  if (input.size() > kInputBytesMax) input.resize(kInputBytesMax);
  return input;
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<std::string> inputs{""};
  if (argc > 1 && std::filesystem::is_directory(argv[1])) {
    // Sorted: the mutations depend on the order.
    std::set<std::filesystem::path> paths;
    for (const auto& file : std::filesystem::directory_iterator(argv[1])) paths.insert(file.path());
    for (const auto& path : paths) {
      std::ifstream stream(path, std::ios::binary);
      inputs.emplace_back(std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>());
    }
  }
  for (const std::string& input : inputs) Run(input);
  std::mt19937 random(kSeed);
  for (int i = 0; i < kMutations; ++i) {
    // Half start from something known, half from what the last mutation made of it.
    std::string input = Mutate(inputs[random() % inputs.size()], random);
    Run(input);
    if (inputs.size() < 256 && random() % 64 == 0) inputs.push_back(std::move(input));
  }
  std::printf("%zu kept inputs and %d mutations, seed %u\n", inputs.size(), kMutations, kSeed);
  return 0;
}
