// Command hook sees each tool call before it happens, and denies commands that must not run.
package main

import (
	"slices"

	"hookbox"
)

// Settings are the hook's own, from its entry in hooks.toml.
type Settings struct {
	// Denied are command lines that are not run.
	Denied []string `json:"denied"`
}

func main() { hookbox.Run(handle) }

func handle(event hookbox.Event) (hookbox.Answer, error) {
	if event.Tool == nil || event.Tool.Class != hookbox.Shell {
		return hookbox.None(), nil
	}
	settings := Settings{Denied: []string{"rm -rf /"}}
	if err := hookbox.Config(&settings); err != nil {
		return hookbox.None(), err
	}
	hookbox.Log("saw %s", event.Tool.Command)
	if slices.Contains(settings.Denied, event.Tool.Command) {
		return hookbox.Deny("denied-command", event.Tool.Command+" is not run here"), nil
	}
	return hookbox.None(), nil
}
