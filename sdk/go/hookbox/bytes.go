package hookbox

import (
	"encoding/json"
	"unicode/utf8"
)

// blob is bytes as questions and replies have them: a text, or base64.
type blob []byte

type encoded struct {
	Base64 []byte `json:"base64"`
}

func (bytes blob) MarshalJSON() ([]byte, error) {
	if utf8.Valid(bytes) {
		return json.Marshal(string(bytes))
	}
	return json.Marshal(encoded{bytes})
}

func (bytes *blob) UnmarshalJSON(text []byte) error {
	var plain string
	if json.Unmarshal(text, &plain) == nil {
		*bytes = blob(plain)
		return nil
	}
	var other encoded
	err := json.Unmarshal(text, &other)
	*bytes = other.Base64
	return err
}
