// A set of hashes that are known: one array of bytes, ascending, none twice. A million of 16 bytes are
// 16 MB, and each is found in 20 comparisons.

import { CoreError } from './module.js';

const HASH_BYTES = [16, 20, 32];
// The file (docs/wasm.md): 8 bytes of magic, then as numbers of 32 bits, the lowest byte first, the
// version, the bytes of a hash, the number of hashes, the bytes of the rules and a CRC-32 of all but
// itself and the magic; then the rules as UTF-8, then the hashes.
const MAGIC = new TextEncoder().encode('TWLABELS');
const VERSION = 1;
const HEADER_BYTES = 28;

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));
const DIGIT = new Uint8Array(128).fill(255);
for (let digit = 0; digit < 16; ++digit) {
  DIGIT[digit.toString(16).charCodeAt(0)] = digit;
  DIGIT[digit.toString(16).toUpperCase().charCodeAt(0)] = digit;
}

/** Hexadecimal digits of bytes[begin, end). */
export function toHex(bytes, begin, end) {
  let hex = '';
  for (let i = begin; i < end; ++i) hex += HEX[bytes[i]];
  return hex;
}

/** Writes the hash to `out`; false if it is not so many digits. */
function parseHex(hex, out, begin, bytes) {
  if (hex.length !== 2 * bytes) return false;
  for (let i = 0; i < bytes; ++i) {
    const high = hex.charCodeAt(2 * i);
    const low = hex.charCodeAt(2 * i + 1);
    const byte = high < 128 && low < 128 ? (DIGIT[high] << 4) | DIGIT[low] : 4096;
    if (byte > 255) return false;
    out[begin + i] = byte;
  }
  return true;
}

/** Below, at or above 0 as a[aBegin...] is before, at or after b[bBegin...]. */
function compare(a, aBegin, b, bBegin, bytes) {
  for (let i = 0; i < bytes; ++i) {
    const difference = a[aBegin + i] - b[bBegin + i];
    if (difference !== 0) return difference;
  }
  return 0;
}

let crcTable;
function crc32(...parts) {
  crcTable ??= Uint32Array.from({ length: 256 }, (_, byte) => {
    for (let bit = 0; bit < 8; ++bit) byte = byte & 1 ? (byte >>> 1) ^ 0xedb88320 : byte >>> 1;
    return byte;
  });
  let crc = 0xffffffff;
  for (const bytes of parts) {
    for (let i = 0; i < bytes.length; ++i) crc = crcTable[(crc ^ bytes[i]) & 255] ^ (crc >>> 8);
  }
  return ~crc >>> 0;
}

/** Of all that a file holds but the checksum itself and the magic. */
const checksum = (bytes) => crc32(bytes.subarray(8, 24), bytes.subarray(HEADER_BYTES));

/** The hashes in order, each once. */
function sorted(hashes, width) {
  const count = hashes.length / width;
  let ascending = true;
  for (let i = 1; ascending && i < count; ++i) {
    ascending = compare(hashes, (i - 1) * width, hashes, i * width, width) < 0;
  }
  if (ascending) return hashes;
  // The first 32 bits as a number tell nearly all apart.
  const view = new DataView(hashes.buffer, hashes.byteOffset);
  const first = Uint32Array.from({ length: count }, (_, i) => view.getUint32(i * width));
  let order = Uint32Array.from(first.keys());
  for (const shift of [0, 16]) {
    const begins = new Uint32Array(65537);
    for (const number of first) ++begins[((number >>> shift) & 65535) + 1];
    for (let i = 1; i < begins.length; ++i) begins[i] += begins[i - 1];
    const next = new Uint32Array(count);
    for (const at of order) next[begins[(first[at] >>> shift) & 65535]++] = at;
    order = next;
  }
  for (let begin = 0, end = 0; begin < count; begin = end) {
    while (end < count && first[order[end]] === first[order[begin]]) ++end;
    if (end - begin > 1) order.subarray(begin, end).sort((a, b) => compare(hashes, a * width, hashes, b * width, width));
  }
  const out = new Uint8Array(hashes.length);
  let kept = 0;
  for (const at of order) {
    if (kept > 0 && compare(out, (kept - 1) * width, hashes, at * width, width) === 0) continue;
    for (let i = 0; i < width; ++i) out[kept * width + i] = hashes[at * width + i];
    ++kept;
  }
  return out.slice(0, kept * width);
}

export class Labels {
  #hashes;
  #width;
  #rules;

  constructor(hashes, width, rules) {
    this.#hashes = hashes;
    this.#width = width;
    this.#rules = rules;
  }

  static from(hashes, rules = '') {
    let width = 0;
    let count = 0;
    let bytes = new Uint8Array(1024);
    for (const hash of hashes) {
      if (typeof hash !== 'string') throw new CoreError('labels', `label ${count + 1} is not a string`);
      if (count === 0) width = hash.length / 2;
      if ((count + 1) * width > bytes.length) {
        const more = new Uint8Array(2 * bytes.length);
        more.set(bytes);
        bytes = more;
      }
      if (!HASH_BYTES.includes(width) || !parseHex(hash, bytes, count * width, width)) {
        const wanted = count === 0 ? '32, 40 or 64' : `${2 * width}, as those before it,`;
        throw new CoreError('labels', `label ${count + 1}, "${hash.slice(0, 80)}", is not a hash of ${wanted} hexadecimal digits`);
      }
      ++count;
    }
    return new Labels(sorted(bytes.slice(0, count * width), width), width || HASH_BYTES[0], rules);
  }

  static fromBytes(bytes) {
    const damaged = (how) => new CoreError('labels', `the bytes are no whole set of labels: ${how}; make it anew from its hashes`);
    if (!(bytes instanceof Uint8Array)) throw new CoreError('labels', 'labels are read from a Uint8Array');
    if (bytes.length < HEADER_BYTES || MAGIC.some((byte, i) => bytes[i] !== byte)) throw damaged('they do not begin as one');
    const header = new DataView(bytes.buffer, bytes.byteOffset, HEADER_BYTES);
    const [version, width, count, ruleBytes, crc] = [8, 12, 16, 20, 24].map((at) => header.getUint32(at, true));
    if (version !== VERSION) throw damaged(`version ${version} is not ${VERSION}`);
    if (!HASH_BYTES.includes(width)) throw damaged(`there is no hash of ${width} bytes`);
    const wanted = HEADER_BYTES + ruleBytes + count * width;
    if (bytes.length !== wanted) throw damaged(`they are ${bytes.length}, not ${wanted}`);
    if (checksum(bytes) !== crc) throw damaged('their checksum is another');
    const hashes = bytes.slice(HEADER_BYTES + ruleBytes);
    for (let i = 1; i < count; ++i) {
      if (compare(hashes, (i - 1) * width, hashes, i * width, width) >= 0) throw damaged('they are not in order');
    }
    return new Labels(hashes, width, new TextDecoder().decode(bytes.subarray(HEADER_BYTES, HEADER_BYTES + ruleBytes)));
  }

  toBytes() {
    const rules = new TextEncoder().encode(this.#rules);
    const bytes = new Uint8Array(HEADER_BYTES + rules.length + this.#hashes.length);
    bytes.set(MAGIC);
    bytes.set(rules, HEADER_BYTES);
    bytes.set(this.#hashes, HEADER_BYTES + rules.length);
    const header = new DataView(bytes.buffer);
    [VERSION, this.#width, this.size, rules.length].forEach((value, i) => header.setUint32(8 + 4 * i, value, true));
    header.setUint32(24, checksum(bytes), true);
    return bytes;
  }

  get size() {
    return this.#hashes.length / this.#width;
  }

  get rules() {
    return this.#rules;
  }

  /** Bytes of a hash. */
  get hashBytes() {
    return this.#width;
  }

  has(hash) {
    const bytes = new Uint8Array(this.#width);
    return parseHex(hash, bytes, 0, this.#width) && this.hasBytes(bytes, 0);
  }

  /** Is the hash at bytes[begin] one of them? */
  hasBytes(bytes, begin) {
    let low = 0;
    let high = this.size;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const order = compare(this.#hashes, middle * this.#width, bytes, begin, this.#width);
      if (order === 0) return true;
      if (order < 0) low = middle + 1;
      else high = middle;
    }
    return false;
  }
}
