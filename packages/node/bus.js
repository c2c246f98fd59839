"use strict";

const REQUEST = "HOOK_EXECUTION_REQUEST";
const RESPONSE = "HOOK_EXECUTION_RESPONSE";
/** No timer waits longer. */
const FOREVER = 2 ** 31 - 1;

/** The class of buses, with what `index.js` has for all. */
exports.busOf = ({ json, checked, translated }) =>
  class Bus {
    #native;
    // Its functions are called as long as somebody asks for them.
    #host;
    #subscribers = new Set();
    // What is still to be told: responses, and the end. The process lives as long.
    #open = 0;
    #alive;

    /** `Host.bus` makes one. */
    constructor(host, begin) {
      this.#host = host;
      const weak = new WeakRef(this);
      this.#native = translated(() => begin((text) => weak.deref()?.#heard(text)));
    }

    publish(message) {
      const text = json("message", message);
      translated(() => this.#native.publish(text));
      if (message.type === REQUEST && !this.disposed) {
        this.#count(1);
      }
    }

    subscribe(type, callback) {
      if (callback === undefined) {
        [type, callback] = [undefined, type];
      }
      if (typeof callback !== "function") {
        throw new TypeError(`a subscriber is a function, and this is of type ${typeof callback}`);
      }
      return this.#add({ type, tell: callback, end: () => {} });
    }

    messages(type) {
      const waiting = [];
      let [wake, ended] = [undefined, this.disposed && this.#open === 0];
      const woken = () => {
        wake?.();
        wake = undefined;
      };
      const end = () => {
        ended = true;
        woken();
      };
      const tell = (message) => {
        waiting.push(message);
        woken();
      };
      const unsubscribe = ended ? () => {} : this.#add({ type, tell, end });
      const messages = {
        [Symbol.asyncIterator]: () => messages,
        async next() {
          while (waiting.length === 0 && !ended) {
            await new Promise((resolve) => {
              wake = resolve;
            });
          }
          return waiting.length > 0 ? { value: waiting.shift(), done: false } : { value: undefined, done: true };
        },
        async return(value) {
          unsubscribe();
          waiting.length = 0;
          end();
          return { value, done: true };
        },
      };
      return messages;
    }

    async fire(event, input) {
      return JSON.parse(checked(await this.#native.fire(event, json("input", input))).text);
    }

    getAllHooks() {
      return JSON.parse(this.#native.allHooks());
    }

    setHookEnabled(name, enabled) {
      return translated(() => this.#native.setHookEnabled(name, enabled));
    }

    dispose() {
      if (!this.disposed) {
        this.#native.dispose();
        // Its end is told, too.
        this.#count(1);
      }
    }

    get disposed() {
      return this.#native.disposed;
    }

    #add(subscriber) {
      this.#subscribers.add(subscriber);
      return () => {
        this.#subscribers.delete(subscriber);
      };
    }

    #heard(text) {
      if (text == null) {
        this.#count(-this.#open);
        const all = [...this.#subscribers];
        this.#subscribers.clear();
        all.forEach((subscriber) => subscriber.end());
        return;
      }
      const { type } = JSON.parse(text);
      for (const subscriber of [...this.#subscribers]) {
        if (subscriber.type === undefined || subscriber.type === type) {
          told(subscriber, JSON.parse(text));
        }
      }
      if (type === RESPONSE && this.#open > 0) {
        this.#count(-1);
      }
    }

    #count(more) {
      this.#open += more;
      if (this.#open === 0) {
        clearInterval(this.#alive);
        this.#alive = undefined;
      } else {
        // The bus with it: who waits for a response may have kept nothing but what was subscribed.
        this.#alive ??= setInterval(() => this.#host, FOREVER);
      }
    }
  };

/** One that fails keeps nobody else from the message. */
async function told(subscriber, message) {
  try {
    await subscriber.tell(message);
  } catch (error) {
    process.emitWarning(error instanceof Error ? error : `a subscriber of a bus has thrown ${String(error)}`);
  }
}
