// A hook that is a program for WASI (preview 1), in C++: hookbox_command.h with values of C++. Exceptions are not needed.
#ifndef HOOKBOX_COMMAND_HPP
#define HOOKBOX_COMMAND_HPP

#include <optional>
#include <string>
#include <string_view>

#include "hookbox_command.h"

namespace hookbox {

inline hookbox_text text(std::string_view view) { return {view.data(), view.size()}; }

// A JSON value, as text.
class Json {
public:
    explicit Json(hookbox_text value) : value(value) {}

    // What is at a JSON pointer: "/tool/command".
    Json at(const char *pointer) const { return Json(hookbox_at(value, pointer)); }
    bool is_there() const { return value.at != nullptr; }

    std::optional<std::string> string(const char *pointer = "") const { return copied(hookbox_text_at(value, pointer)); }
    // A string, or what is in base64.
    std::optional<std::string> bytes(const char *pointer = "") const { return copied(hookbox_bytes_at(value, pointer)); }
    std::optional<long long> number(const char *pointer = "") const {
        long long found;
        return hookbox_number_at(value, pointer, &found) ? std::optional(found) : std::nullopt;
    }

private:
    static std::optional<std::string> copied(hookbox_text found) {
        return found.at ? std::optional(std::string(found.at, found.size)) : std::nullopt;
    }

    hookbox_text value;
};

// A JSON string.
inline std::string quoted(std::string_view view) {
    hookbox_text json = hookbox_quoted(text(view));
    return std::string(json.at, json.size);
}

inline Json event() { return Json(hookbox_event()); }
inline Json config() { return Json(hookbox_config()); }
// The reply: "/value", or "/error" and "/text".
inline Json ask(std::string_view question) { return Json(hookbox_ask(text(question))); }
inline void answer(std::string_view json) { hookbox_answer(text(json)); }
[[noreturn]] inline void fail(std::string_view why) { hookbox_fail(text(why)); }

}  // namespace hookbox

#endif
