// The states that a search has tried, in little memory: sets of operations that have taken effect,
// and the situations they led to. Not thread-safe.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

namespace orrery::history {

// A set of numbers, most of which fill up from 0: written as the words after the full ones.
class FillingSet {
 public:
  // Of numbers below `size`.
  explicit FillingSet(size_t size) : words_(size / 64 + 1) {}

  size_t count() const { return count_; }
  void Insert(size_t number) {
    words_[number / 64] |= uint64_t{1} << (number % 64);
    ++count_;
    while (full_ < words_.size() && words_[full_] == ~uint64_t{0}) ++full_;
  }
  void Erase(size_t number) {
    words_[number / 64] &= ~(uint64_t{1} << (number % 64));
    --count_;
    full_ = std::min(full_, number / 64);
  }
  // The same for equal sets only.
  void AppendTo(std::string& out) const {
    Put(out, full_);
    size_t left = count_ - full_ * 64;
    for (size_t word = full_; left > 0; ++word) {
      Put(out, words_[word]);
      left -= static_cast<size_t>(std::popcount(words_[word]));
    }
  }

 private:
  static void Put(std::string& out, uint64_t word) {
    out.append(reinterpret_cast<const char*>(&word), sizeof(word));
  }

  std::vector<uint64_t> words_;
  size_t full_ = 0;  // words before this one have all bits
  size_t count_ = 0;
};

// The failed attempts: with which required operations done and which content, having used which
// optional ones. Having used more of them with the same result fails as well.
class Tried {
 public:
  using Used = std::vector<uint64_t>;  // a bit for each optional operation

  // False when this, or something better, was tried.
  bool Add(const std::string& situation, const Used& used) {
    std::vector<Used>& before = tried_[situation];
    compared_ += before.size();
    const auto is_part = [](const Used& a, const Used& b) {
      return std::ranges::equal(a, b, [](uint64_t x, uint64_t y) { return (x & ~y) == 0; });
    };
    if (std::ranges::any_of(before, [&](const Used& each) { return is_part(each, used); }))
      return false;
    size_ -= std::erase_if(before, [&](const Used& each) { return is_part(used, each); });
    before.push_back(used);
    ++size_;
    return true;
  }
  uint64_t size() const { return size_; }
  uint64_t compared() const { return compared_; }

 private:
  std::unordered_map<std::string, std::vector<Used>> tried_;
  uint64_t size_ = 0;
  uint64_t compared_ = 0;
};

}  // namespace orrery::history
