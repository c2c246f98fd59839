package hookbox

// Request is sent as a whole. It takes rules in the grant `http` that cover it.
type Request struct {
	// Method is "GET", "POST"; "GET" if empty.
	Method string
	// URL is absolute: "https://policy.example.com/v1/ask".
	URL string
	// Headers are names and values; those of the connection are the host's.
	Headers [][2]string
	// Body is at most 1 MiB.
	Body []byte
	// Timeout is milliseconds to wait for the whole response; as long as the hook's time lasts if it is 0.
	Timeout uint32
}

// Response is what came back, whatever its status. No redirect is followed.
type Response struct {
	Status  uint16
	Headers [][2]string
	Body    []byte
}

// Send sends a request and waits for the whole response. The code of its Error is "refused", "invalid", "unreachable", "timeout"
// or "limit".
func Send(request Request) (Response, error) {
	about := question{"ask": "http", "method": request.Method, "url": request.URL}
	if request.Method == "" {
		about["method"] = "GET"
	}
	if len(request.Headers) > 0 {
		about["headers"] = request.Headers
	}
	if len(request.Body) > 0 {
		about["body"] = blob(request.Body)
	}
	if request.Timeout > 0 {
		about["timeout"] = request.Timeout
	}
	var told struct {
		Status  uint16
		Headers [][2]string
		Body    blob
	}
	err := askFor(about, &told)
	return Response{Status: told.Status, Headers: told.Headers, Body: told.Body}, err
}
