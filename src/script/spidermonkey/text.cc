#include "script/spidermonkey/text.h"

#include <js/CharacterEncoding.h>
#include <js/String.h>
#include <mozilla/Span.h>

#include <algorithm>

namespace orrery::script {
namespace {

constexpr uint32_t kReplacement = 0xfffd;

void AppendCodePoint(uint32_t code_point, std::string& out) {
  const auto byte = [&out](uint32_t value) { out.push_back(static_cast<char>(value)); };
  if (code_point < 0x80) {
    byte(code_point);
  } else if (code_point < 0x800) {
    byte(0xc0 | code_point >> 6);
    byte(0x80 | (code_point & 0x3f));
  } else if (code_point < 0x10000) {
    byte(0xe0 | code_point >> 12);
    byte(0x80 | (code_point >> 6 & 0x3f));
    byte(0x80 | (code_point & 0x3f));
  } else {
    byte(0xf0 | code_point >> 18);
    byte(0x80 | (code_point >> 12 & 0x3f));
    byte(0x80 | (code_point >> 6 & 0x3f));
    byte(0x80 | (code_point & 0x3f));
  }
}

// nullptr with an exception pending.
JS::UniqueTwoByteChars ToUtf16(JSContext* cx, std::string_view utf8, size_t& length) {
  JS::UniqueTwoByteChars chars(
      JS::LossyUTF8CharsToNewTwoByteCharsZ(cx, JS::UTF8Chars(utf8.data(), utf8.size()), &length,
                                           js::StringBufferArena)
          .get());
  if (chars == nullptr && !JS_IsExceptionPending(cx)) JS_ReportOutOfMemory(cx);
  return chars;
}

}  // namespace

JSString* NewScriptString(JSContext* cx, std::string_view utf8) {
  const bool ascii =
      std::ranges::all_of(utf8, [](char c) { return static_cast<unsigned char>(c) < 0x80; });
  if (ascii) return JS_NewStringCopyN(cx, utf8.data(), utf8.size());
  size_t length = 0;
  JS::UniqueTwoByteChars chars = ToUtf16(cx, utf8, length);
  return chars == nullptr ? nullptr : JS_NewUCString(cx, std::move(chars), length);
}

bool InitSourceText(JSContext* cx, std::string_view utf8, JS::SourceText<char16_t>& text) {
  size_t length = 0;
  JS::UniqueTwoByteChars chars = ToUtf16(cx, utf8, length);
  return chars != nullptr && text.init(cx, std::move(chars), length);
}

bool AppendUtf8(JSContext* cx, JSString* string, std::string& out) {
  JSLinearString* linear = JS_EnsureLinearString(cx, string);
  if (linear == nullptr) return false;
  const size_t before = out.size();
  const size_t bytes = JS::GetDeflatedUTF8StringLength(linear);
  out.resize(before + bytes);
  JS::DeflateStringToUTF8Buffer(linear, mozilla::Span(out.data() + before, bytes));
  return true;
}

size_t Utf8BytesMin(JSString* string) { return JS::GetStringLength(string); }

void AppendUtf8(std::u16string_view utf16, std::string& out) {
  for (size_t i = 0; i < utf16.size(); ++i) {
    const uint32_t unit = utf16[i];
    const uint32_t next = i + 1 < utf16.size() ? utf16[i + 1] : 0;
    if (unit < 0xd800 || unit > 0xdfff) {
      AppendCodePoint(unit, out);
    } else if (unit < 0xdc00 && next >= 0xdc00 && next <= 0xdfff) {
      AppendCodePoint(0x10000 + ((unit - 0xd800) << 10) + (next - 0xdc00), out);
      ++i;
    } else {
      AppendCodePoint(kReplacement, out);
    }
  }
}

}  // namespace orrery::script
