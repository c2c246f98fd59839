package hookbox

import (
	"encoding/json"
	"fmt"
	"os"
)

// Error is why the host did not do what it was asked.
type Error struct {
	// Code is a word: "not-granted", "quota", "refused".
	Code string
	// Text is for people.
	Text string
}

func (err *Error) Error() string { return err.Code + ": " + err.Text }

type question map[string]any

type reply struct {
	Value json.RawMessage `json:"value"`
	Error string          `json:"error"`
	Text  string          `json:"text"`
}

func ask(about question) (json.RawMessage, error) {
	asked, err := json.Marshal(about)
	if err != nil {
		return nil, err
	}
	said, err := exchange(asked)
	if err != nil {
		return nil, err
	}
	var told reply
	if err := json.Unmarshal(said, &told); err != nil {
		return nil, fmt.Errorf("the host's reply cannot be read: %w", err)
	}
	if told.Error != "" {
		return nil, &Error{Code: told.Error, Text: told.Text}
	}
	return told.Value, nil
}

// askFor puts the value of the reply into a variable.
func askFor(about question, value any) error {
	told, err := ask(about)
	if err != nil {
		return err
	}
	return json.Unmarshal(told, value)
}

// Config puts the hook's settings into a variable, as encoding/json does.
func Config(settings any) error { return askFor(question{"ask": "config"}, settings) }

// Source is what the caller sent, untouched.
func Source() (json.RawMessage, error) { return ask(question{"ask": "source"}) }

// Now is milliseconds since the Unix epoch: the event's time, or that which it is with the grant `clock`.
func Now() (uint64, error) {
	var now uint64
	err := askFor(question{"ask": "now"}, &now)
	return now, err
}

// Log adds a line to the hook's log, at level info.
func Log(format string, values ...any) { LogAt("info", format, values...) }

// LogAt adds a line at a level: "trace", "debug", "info", "warn" or "error".
func LogAt(level, format string, values ...any) {
	line := fmt.Sprintf(format, values...)
	if _, err := ask(question{"ask": "log", "level": level, "message": line}); err != nil {
		fmt.Fprintln(os.Stderr, line)
	}
}
