// Package hookbox makes a Go program a hook: it reads one event, answers it, and asks the host for what a program cannot have by
// itself: its settings, a store, requests, a log with levels.
//
//	func main() { hookbox.Run(handle) }
//
//	func handle(event hookbox.Event) (hookbox.Answer, error) {
//		if event.Name == hookbox.ToolBefore && event.Tool.Command == "rm -rf /" {
//			return hookbox.Deny("removes-root", "rm -rf / removes everything"), nil
//		}
//		return hookbox.None(), nil
//	}
package hookbox

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
)

// Run reads the event, hands it to the hook and writes its answer. An error is a failed hook with that text. It does not return
// after one.
func Run(handle func(Event) (Answer, error)) {
	if err := answer(os.Stdin, os.Stdout, handle); err != nil {
		fail(err)
	}
}

func answer(in io.Reader, out io.Writer, handle func(Event) (Answer, error)) error {
	var event Event
	if err := json.NewDecoder(in).Decode(&event); err != nil {
		return fmt.Errorf("the event cannot be read: %w", err)
	}
	said, err := handle(event)
	if err != nil {
		return err
	}
	written, err := json.Marshal(said)
	if err != nil {
		return fmt.Errorf("the answer cannot be written: %w", err)
	}
	_, err = out.Write(written)
	return err
}

// An exit code alone would be told with the first line of standard error, which may be a line of the log.
func fail(why error) {
	if _, err := ask(question{"ask": "fail", "message": why.Error()}); err != nil {
		fmt.Fprintln(os.Stderr, why)
	}
	os.Exit(1)
}
