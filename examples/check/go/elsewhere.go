//go:build !wasip1

package main

import "hookbox"

// Where there is no hookbox, nothing is set: so the check runs as a program of the machine's own, too.
func init() {
	hookbox.Host = func([]byte) []byte { return []byte(`{"value":{}}`) }
}
