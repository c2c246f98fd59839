// The one check that is written in every language, as a program; examples/check/README.md says what it does.
#include <cctype>
#include <iostream>

#include "hookbox_command.hpp"

using hookbox::Json;
using hookbox::quoted;
using std::string;
using std::string_view;

static string verdict(string_view word, string_view code, string_view reason) {
    return "{\"verdict\":" + quoted(word) + ",\"code\":" + quoted(code) + ",\"reason\":" + quoted(reason) + "}";
}

static string_view trimmed(string_view text) {
    size_t first = text.find_first_not_of(' ');
    if (first == string_view::npos) return "";
    return text.substr(first, text.find_last_not_of(' ') - first + 1);
}

// The text with every byte that is no ASCII letter or digit as %XX.
static string escaped(string_view text) {
    const char *digits = "0123456789ABCDEF";
    string out;
    for (unsigned char next : text) {
        if (std::isalnum(next)) {
            out += char(next);
        } else {
            out += {'%', digits[next >> 4], digits[next & 15]};
        }
    }
    return out;
}

// The value of a reply; an error in it is a failed hook.
static Json value(Json reply, const string &who) {
    if (auto error = reply.string("/error")) hookbox::fail(who + ": " + *error);
    return reply.at("/value");
}

static string may_deploy(const string &server, string_view what) {
    string url = server + "/may?what=" + escaped(what);
    Json response = value(hookbox::ask(R"({"ask":"http","method":"GET","url":)" + quoted(url) + "}"), "the server");
    long long status = response.number("/status").value_or(0);
    if (status == 403) return verdict("deny", "server-said-no", response.bytes("/body").value_or(""));
    if (status != 200) hookbox::fail("the server answered " + std::to_string(status));
    return "{}";
}

static string check(Json settings, string_view command) {
    if (auto most = settings.number("/most")) {
        Json reply = hookbox::ask(R"({"ask":"kv.increment","scope":"session","key":"calls","by":1})");
        long long calls = value(reply, "the store").number().value_or(0);
        string text = "call " + std::to_string(calls) + " of " + std::to_string(*most);
        if (calls > *most) return verdict("ask", "too-many-calls", text);
    }
    if (trimmed(command) == "rm -rf /") return verdict("deny", "removes-root", "rm -rf / removes everything");
    if (command.starts_with("npm ")) {
        string pnpm = "pnpm " + string(command.substr(4));
        return R"({"rewrite":{"merge":{"command":)" + quoted(pnpm) + R"(}},"notice":"pnpm instead of npm"})";
    }
    auto server = settings.string("/server");
    return command.starts_with("deploy ") && server ? may_deploy(*server, command.substr(7)) : "{}";
}

static string answer(Json event) {
    string name = event.string("/event").value_or("");
    Json settings = hookbox::config();
    std::cerr << "saw " << name << "\n";
    if (name == "session.start") {
        auto greeting = settings.string("/greeting");
        return greeting ? R"({"context":)" + quoted(*greeting) + "}" : "{}";
    }
    auto command = event.string("/tool/command");
    bool is_shell = event.string("/tool/class") == "shell";
    return name == "tool.before" && is_shell && command ? check(settings, *command) : "{}";
}

int main() { hookbox::answer(answer(hookbox::event())); }
