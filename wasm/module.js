// A module of WebAssembly that is made anew whenever it stops: what index.js and sketches.js share.

/** What went wrong: `code` is 'rules', 'memory', 'labels' or 'module'. */
export class CoreError extends Error {
  constructor(code, message) {
    super(message);
    this.name = 'CoreError';
    this.code = code;
  }
}

const MOST_TEXT_BYTES = 0xffffffff - 64;
// An instance whose memory a large page has made large is made anew: memory of a module never shrinks.
const MOST_KEPT_BYTES = 64 << 20;

const tooLarge = (bytes) =>
  new CoreError('memory', `a page of ${bytes} bytes needs more memory than the core may take; it was not looked at`);

/** A source that a caller gave, or a URL, as a compiled module. */
async function compile(source) {
  if (source instanceof WebAssembly.Module) return source;
  if (source instanceof ArrayBuffer || ArrayBuffer.isView(source)) return WebAssembly.compile(source);
  const url = new URL(source, globalThis.location?.href);
  if (url.protocol === 'file:' && globalThis.process?.versions?.node) {
    const files = 'node:fs/promises'; // a variable, so that bundlers for browsers leave it alone
    return WebAssembly.compile(await (await import(files)).readFile(url));
  }
  const answer = await fetch(url);
  if (!answer.ok) throw new CoreError('module', `${url} cannot be had: status ${answer.status}`);
  return WebAssembly.compile(await answer.arrayBuffer());
}

/** Of its system a module gets random numbers; what would print the last words of a fault gets an error. */
function importsOf(module, random, memory) {
  const imports = {};
  for (const { module: from, name } of WebAssembly.Module.imports(module)) {
    (imports[from] ??= {})[name] = () => 8; // EBADF
  }
  if (imports.wasi_snapshot_preview1?.random_get) {
    imports.wasi_snapshot_preview1.random_get = (at, bytes) => {
      random.getRandomValues(new Uint8Array(memory().buffer, at, bytes));
      return 0;
    };
  }
  return imports;
}

const nodeCrypto = 'node:crypto'; // a variable, as above

/** minChars is the module's min_chars. */
const toModule = (name) => name.replace(/[A-Z]/g, (letter) => '_' + letter.toLowerCase());
export const fromModule = (name) => name.replace(/_([a-z])/g, (_, letter) => letter.toUpperCase());

/** A message of the module, which marks names of options for its door to spell. */
const spelled = (message) =>
  message.replace(/\0\{([a-z0-9_]+)(?:=([^\0]*)|!)?\0\}/g, (_, name, value) =>
    fromModule(name) + (value === undefined ? '' : `: '${value}'`));

export class Core {
  #module;
  #imports;
  #exports = null; // of the instance; null: it stopped, or became too large
  #settings = null; // that the instance has

  static async load(source) {
    const core = new this();
    core.#module = await compile(source);
    // Node 18 has it only there.
    const random = globalThis.crypto ?? (await import(nodeCrypto)).webcrypto;
    core.#imports = importsOf(core.#module, random, () => core.#exports.memory);
    core.#begin(await WebAssembly.instantiate(core.#module, core.#imports));
    return core;
  }

  #begin(instance) {
    this.#exports = instance.exports;
    this.#settings = null;
    this.#exports._initialize();
    this.#exports.twinset_begin();
  }

  /** Bytes that the instance holds. */
  memoryBytes() {
    return this.#exports === null ? 0 : this.#exports.memory.buffer.byteLength;
  }

  /** Calls `use(exports)`; if the module stops in it, or has become large, the next call makes it anew. */
  guarded(bytes, use) {
    if (bytes > MOST_TEXT_BYTES) throw tooLarge(bytes);
    if (this.#exports === null) this.#begin(new WebAssembly.Instance(this.#module, this.#imports));
    const exports = this.#exports;
    try {
      return use(exports);
    } catch (error) {
      if (!(error instanceof WebAssembly.RuntimeError)) throw error;
      this.#exports = null;
      if (exports.twinset_out_of_memory() === 1) throw tooLarge(bytes);
      throw new CoreError('module', `the core stopped at a page of ${bytes} bytes: ${error.message}`);
    } finally {
      if (exports.memory.buffer.byteLength > MOST_KEPT_BYTES) this.#exports = null;
    }
  }

  /** A text or page as bytes. */
  bytesOf(text) {
    const bytes = typeof text === 'string' ? new TextEncoder().encode(text) : text;
    if (!(bytes instanceof Uint8Array)) throw new TypeError('a page is a string or a Uint8Array');
    return bytes;
  }

  /** Makes bytes the module's input; returns how many. */
  give(...parts) {
    const size = parts.reduce((sum, bytes) => sum + bytes.length, 0);
    let at = this.#exports.twinset_input(size);
    for (const bytes of parts) {
      new Uint8Array(this.#exports.memory.buffer).set(bytes, at);
      at += bytes.length;
    }
    return size;
  }

  /** A copy of what the module says. */
  said() {
    const { memory, twinset_text: text, twinset_text_bytes: bytes } = this.#exports;
    return new Uint8Array(memory.buffer, text(), bytes()).slice();
  }

  saidText() {
    return new TextDecoder().decode(this.said());
  }

  /** Gives the module settings by `take`, unless it has them: a line, or an object as lines "name=value". Returns
   * what it says of them. */
  set(settings, take) {
    const given = typeof settings === 'string'
      ? settings
      : Object.entries(settings)
          .filter(([, value]) => value !== undefined)
          .map(([name, value]) => `${toModule(name)}=${String(value).replace(/\n/g, ' ')}\n`)
          .join('');
    if (this.#settings?.given !== given || this.#settings.take !== take) {
      if (take(this.give(new TextEncoder().encode(given))) !== 1) throw new CoreError('rules', spelled(this.saidText()));
      this.#settings = { given, take, line: this.saidText() };
    }
    return this.#settings.line;
  }
}
