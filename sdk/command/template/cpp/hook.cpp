// Sees each tool call before it happens, and denies commands that must not run.
#include <iostream>

#include "hookbox_command.hpp"

// Do the settings name it? Without settings it is the worst alone.
static bool is_denied(hookbox::Json settings, const std::string &command) {
    if (!settings.at("/denied").is_there()) return command == "rm -rf /";
    for (int number = 0;; number++) {
        auto denied = settings.string(("/denied/" + std::to_string(number)).c_str());
        if (!denied || *denied == command) return denied.has_value();
    }
}

int main() {
    hookbox::Json event = hookbox::event();
    auto command = event.string("/tool/command");
    if (event.string("/tool/class") != "shell" || !command) return 0;
    std::cerr << "saw " << *command << "\n";
    if (is_denied(hookbox::config(), *command)) {
        std::string reason = hookbox::quoted(*command + " is not run here");
        hookbox::answer(R"({"verdict":"deny","code":"denied-command","reason":)" + reason + "}");
    }
}
