// What the engine has beside the language itself, for an editor that is told `"lib": ["ES2024"]` and nothing else. There is no
// `fetch`, no `setTimeout`, no `URL`, and nothing of Node.js.

declare var console: Readonly<Record<"log" | "trace" | "debug" | "info" | "warn" | "error", (...parts: unknown[]) => void>>;
declare var performance: { now(): number };

declare function atob(data: string): string;
declare function btoa(data: string): string;

declare class TextEncoder {
  readonly encoding: "utf-8";
  encode(text?: string): Uint8Array;
}

declare class TextDecoder {
  readonly encoding: "utf-8";
  decode(bytes?: ArrayBufferView | ArrayBuffer): string;
}
