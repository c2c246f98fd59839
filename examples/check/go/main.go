// Command check is the one check that is written in every language; examples/check/README.md says what it does.
package main

import (
	"errors"
	"fmt"
	"strings"

	"hookbox"
)

// Settings are the hook's own; each is optional.
type Settings struct {
	Greeting string `json:"greeting"`
	Most     *int64 `json:"most"`
	Server   string `json:"server"`
}

func main() { hookbox.Run(handle) }

func handle(event hookbox.Event) (hookbox.Answer, error) {
	hookbox.Log("saw %s", event.Name)
	var settings Settings
	if err := hookbox.Config(&settings); err != nil {
		return hookbox.None(), err
	}
	switch {
	case event.Name == hookbox.SessionStart:
		return hookbox.None().WithContext(settings.Greeting), nil
	case event.Name == hookbox.ToolBefore && event.Tool.Class == hookbox.Shell && event.Tool.Command != "":
		return settings.check(event.Tool.Command)
	default:
		return hookbox.None(), nil
	}
}

func (settings Settings) check(command string) (hookbox.Answer, error) {
	if settings.Most != nil {
		if answer, err := tooMany(*settings.Most); err != nil || answer.Verdict != "" {
			return answer, err
		}
	}
	if strings.Trim(command, " ") == "rm -rf /" {
		return hookbox.Deny("removes-root", "rm -rf / removes everything"), nil
	}
	if rest, isNpm := strings.CutPrefix(command, "npm "); isNpm {
		patch := map[string]string{"command": "pnpm " + rest}
		return hookbox.None().Merging(patch).WithNotice("pnpm instead of npm"), nil
	}
	if what, deploys := strings.CutPrefix(command, "deploy "); deploys && settings.Server != "" {
		return mayDeploy(settings.Server, what)
	}
	return hookbox.None(), nil
}

func tooMany(most int64) (hookbox.Answer, error) {
	calls, err := hookbox.Session.Increment("calls", 1)
	if err != nil {
		return hookbox.None(), fmt.Errorf("the store: %s", word(err))
	}
	if calls > most {
		return hookbox.Ask("too-many-calls", fmt.Sprintf("call %d of %d", calls, most)), nil
	}
	return hookbox.None(), nil
}

func mayDeploy(server, what string) (hookbox.Answer, error) {
	response, err := hookbox.Send(hookbox.Request{URL: server + "/may?what=" + escaped(what)})
	if err != nil {
		return hookbox.None(), fmt.Errorf("the server: %s", word(err))
	}
	switch response.Status {
	case 200:
		return hookbox.None(), nil
	case 403:
		return hookbox.Deny("server-said-no", strings.ToValidUTF8(string(response.Body), "\uFFFD")), nil
	default:
		return hookbox.None(), fmt.Errorf("the server answered %d", response.Status)
	}
}

// escaped is the text with every byte that is no ASCII letter or digit as %XX.
func escaped(text string) string {
	var out strings.Builder
	for _, each := range []byte(text) {
		switch {
		case '0' <= each && each <= '9', 'A' <= each && each <= 'Z', 'a' <= each && each <= 'z':
			out.WriteByte(each)
		default:
			fmt.Fprintf(&out, "%%%02X", each)
		}
	}
	return out.String()
}

// word is the host's own for an error.
func word(err error) string {
	var told *hookbox.Error
	if errors.As(err, &told) {
		return told.Code
	}
	return err.Error()
}
