package hookbox

// Scope says who shares the entries of the store, besides the plugin being the same. Each takes the grant `kv`.
type Scope string

const (
	// Session is for events of the same session of the same agent.
	Session Scope = "session"
	// Project is for events that happen in the same folder.
	Project Scope = "project"
	// User is for all events of this user.
	User Scope = "user"
)

func (scope Scope) about(what, key string) question {
	return question{"ask": "kv." + what, "scope": scope, "key": key}
}

// Get is the value of this key; nil if it has none.
func (scope Scope) Get(key string) ([]byte, error) {
	var value *blob
	if err := askFor(scope.about("get", key), &value); err != nil || value == nil {
		return nil, err
	}
	return append([]byte{}, *value...), nil
}

// Set gives the key this value, whatever it had.
func (scope Scope) Set(key string, value []byte) error {
	about := scope.about("set", key)
	about["value"] = blob(value)
	_, err := ask(about)
	return err
}

// Delete takes the key away. It need not be there.
func (scope Scope) Delete(key string) error {
	_, err := ask(scope.about("delete", key))
	return err
}

// Keys are those that begin so, in the order of their bytes, the first 1000 of them.
func (scope Scope) Keys(prefix string) ([]string, error) {
	var keys []string
	err := askFor(question{"ask": "kv.keys", "scope": scope, "prefix": prefix}, &keys)
	return keys, err
}

// Increment adds to a number and says what it is now, in one step for all processes. A key without a value counts as 0.
func (scope Scope) Increment(key string, by int64) (int64, error) {
	about := scope.about("increment", key)
	about["by"] = by
	var now int64
	err := askFor(about, &now)
	return now, err
}

// Swap gives the key a value if it has the value old (nil: if it has none), in one step for all processes. Says if it did.
func (scope Scope) Swap(key string, old, new []byte) (bool, error) {
	about := scope.about("swap", key)
	about["new"] = blob(new)
	if old != nil {
		about["old"] = blob(old)
	}
	var swapped bool
	err := askFor(about, &swapped)
	return swapped, err
}
