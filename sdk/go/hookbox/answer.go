package hookbox

// Answer is what a hook makes of an event. Every part is optional; the empty one is no opinion.
type Answer struct {
	// Verdict is "deny", "ask", "allow" or empty.
	Verdict string `json:"verdict,omitempty"`
	// Code is stable: lower-case words joined by hyphens, at most 64 bytes.
	Code string `json:"code,omitempty"`
	// Reason is for people, at most 10,000 characters.
	Reason string `json:"reason,omitempty"`
	// Rewrite changes the part of the event that its schema marks as rewritable.
	Rewrite *Rewrite `json:"rewrite,omitempty"`
	// Confine is the profile by which the shell command is to run confined; where it cannot be, the person is asked.
	Confine string `json:"confine,omitempty"`
	// Context is text for the model.
	Context string `json:"context,omitempty"`
	// Notice is text for the person.
	Notice string `json:"notice,omitempty"`
	// Stop ends the run, and says why.
	Stop string `json:"stop,omitempty"`
	// Extra has event-specific fields.
	Extra any `json:"extra,omitempty"`
}

// Rewrite is a change to the rewritable part: one of the two.
type Rewrite struct {
	// Replace is the whole part, anew.
	Replace any `json:"replace,omitempty"`
	// Merge is a merge patch (RFC 7396) for it.
	Merge any `json:"merge,omitempty"`
}

// None is no opinion, which is not Allow.
func None() Answer { return Answer{} }

// Allow says yes; it may skip a prompt.
func Allow(code, reason string) Answer { return verdict("allow", code, reason) }

// Ask leaves it to the person.
func Ask(code, reason string) Answer { return verdict("ask", code, reason) }

// Deny says no.
func Deny(code, reason string) Answer { return verdict("deny", code, reason) }

// Confine lets the shell command run, but confined by this profile of the user's: "project", or one of their [confine.NAME].
func Confine(profile string) Answer { return Answer{Confine: profile} }

func verdict(word, code, reason string) Answer {
	return Answer{Verdict: word, Code: code, Reason: reason}
}

// WithContext adds text for the model.
func (answer Answer) WithContext(text string) Answer {
	answer.Context = text
	return answer
}

// WithNotice adds text for the person.
func (answer Answer) WithNotice(text string) Answer {
	answer.Notice = text
	return answer
}

// Merging changes the rewritable part by a merge patch.
func (answer Answer) Merging(patch any) Answer {
	answer.Rewrite = &Rewrite{Merge: patch}
	return answer
}

// Replacing gives the rewritable part anew.
func (answer Answer) Replacing(part any) Answer {
	answer.Rewrite = &Rewrite{Replace: part}
	return answer
}
