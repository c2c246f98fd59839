// Requests to servers, for a hook with rules in the grant `http` that cover them.

import { Bytes, RESULT, encoded, pinned, readBytes, readText, space, writeText } from "./abi";

// prettier-ignore
// @ts-ignore: decorator
@external("hookbox:hook/http@0.2.0", "send")
declare function httpSend(method: usize, methodLength: usize, url: usize, urlLength: usize, headers: usize, headersLength: usize, body: usize, bodyLength: usize, hasTimeout: i32, timeout: u32, result: usize): void;

/** A header: its name in any case, its value as it is sent. */
export class Header {
  constructor(
    public name: string,
    public value: string,
  ) {}
}

export class Request {
  headers: Header[] = [];
  /** At most 1 MiB. */
  body: Uint8Array = new Uint8Array(0);
  /** Milliseconds to wait for the whole response; below 0, as long as the hook's time lasts. */
  timeout: i64 = -1;

  constructor(
    public method: string,
    public url: string,
  ) {}
}

/** What came back, whatever its status; or why nothing did. No redirect is followed. */
export class Response {
  /** The contract's word for why there is no response ("refused", "invalid", "unreachable", "timeout", "limit"); else null. */
  error: string | null = null;
  /** About the error, for people. */
  why: string = "";
  status: u16 = 0;
  headers: Header[] = [];
  body: Uint8Array = new Uint8Array(0);

  /** The body as UTF-8. */
  get text(): string {
    return String.UTF8.decodeUnsafe(this.body.dataStart, this.body.length);
  }
}

export function get(url: string): Response {
  return send(new Request("GET", url));
}

export function post(url: string, contentType: string, body: string): Response {
  const request = new Request("POST", url);
  request.headers = [new Header("content-type", contentType)];
  request.body = Uint8Array.wrap(encoded(body));
  return send(request);
}

/** Sends it and waits for the whole response. */
export function send(request: Request): Response {
  const method = new Bytes(request.method);
  const url = new Bytes(request.url);
  const headers = written(request.headers);
  const body = request.body;
  pinned(body.buffer);
  const hasTimeout = i32(request.timeout >= 0);
  const timeout = u32(max<i64>(request.timeout, 0));
  // prettier-ignore
  httpSend(method.pointer, method.length, url.pointer, url.length, headers, request.headers.length, body.dataStart, body.length, hasTimeout, timeout, RESULT);
  return received();
}

function written(headers: Header[]): usize {
  const place = space(16 * headers.length);
  for (let i = 0; i < headers.length; i++) {
    writeText(place + 16 * i, headers[i].name);
    writeText(place + 16 * i + 8, headers[i].value);
  }
  return place;
}

function received(): Response {
  const response = new Response();
  if (load<u8>(RESULT) != 0) {
    const problem = load<u8>(RESULT, 4);
    response.error = word(problem);
    if (problem != TIMEOUT) response.why = readText(RESULT + 8);
    return response;
  }
  response.status = load<u16>(RESULT, 4);
  const first = load<usize>(RESULT, 8);
  const count = load<i32>(RESULT, 12);
  for (let i = 0; i < count; i++) {
    const place = first + 16 * i;
    response.headers.push(new Header(readText(place), readText(place + 8)));
  }
  response.body = readBytes(RESULT + 16);
  return response;
}

const TIMEOUT: u8 = 3;

function word(problem: u8): string {
  switch (problem) {
    case 0:
      return "refused";
    case 1:
      return "invalid";
    case 2:
      return "unreachable";
    case TIMEOUT:
      return "timeout";
    default:
      return "limit";
  }
}

/** Every byte of the text's UTF-8 that is no ASCII letter or digit as `%XX`. */
export function percentEncode(text: string): string {
  const digits = "0123456789ABCDEF";
  const bytes = Uint8Array.wrap(encoded(text));
  let encoded = "";
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i];
    if (isPlain(byte)) encoded += String.fromCharCode(byte);
    else encoded += "%" + digits.charAt(byte >> 4) + digits.charAt(byte & 15);
  }
  return encoded;
}

function isPlain(byte: u8): bool {
  return (byte >= 0x30 && byte <= 0x39) || (byte >= 0x41 && byte <= 0x5a) || (byte >= 0x61 && byte <= 0x7a);
}
