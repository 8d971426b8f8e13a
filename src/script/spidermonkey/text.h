// Texts across the border: UTF-8 here, UTF-16 (or Latin-1) there.
#pragma once

#include <js/SourceText.h>
#include <jsapi.h>

#include <string>
#include <string_view>

namespace orrery::script {

// Malformed bytes become U+FFFD. nullptr with an exception pending when there is no memory.
JSString* NewScriptString(JSContext* cx, std::string_view utf8);

// Source to compile. In UTF-16, because the engine's compiler of function bodies takes UTF-8 for
// Latin-1. False with an exception pending.
bool InitSourceText(JSContext* cx, std::string_view utf8, JS::SourceText<char16_t>& text);

// Appends; lone surrogates become U+FFFD. False with an exception pending.
bool AppendUtf8(JSContext* cx, JSString* string, std::string& out);

// At least how many bytes AppendUtf8 will add, known without looking at the characters.
size_t Utf8BytesMin(JSString* string);

// The same for UTF-16 that is not in a string.
void AppendUtf8(std::u16string_view utf16, std::string& out);

}  // namespace orrery::script
