//go:build !wasip1

package hookbox

import "errors"

// Host answers questions where there is no hookbox: in a test of `go test`. It gets a question and gives a reply, both JSON as in
// docs/guide/programs.md.
var Host func(question []byte) (reply []byte)

func exchange(asked []byte) ([]byte, error) {
	if Host == nil {
		return nil, errors.New("there is no host: build it with GOOS=wasip1 GOARCH=wasm, or set hookbox.Host")
	}
	return Host(asked), nil
}
