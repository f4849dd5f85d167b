/**
 * Words with the numbers of the documents that have them, packed: each word without what it begins with like the word before,
 * numbers as differences, everything in variable-length integers of seven bits a byte, the low ones first (LEB128).
 */

/** A word, and the documents that have it by their numbers, which grow. */
export interface Posting {
  word: string;
  numbers: number[];
}

/** The bytes of a packed integer below 2^31. */
function pushInteger(bytes: number[], value: number): void {
  let left = value;
  while (left > 127) {
    bytes.push((left & 127) | 128);
    left >>>= 7;
  }
  bytes.push(left);
}

class Reader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get isOver(): boolean {
    return this.#at >= this.#bytes.length;
  }

  integer(): number {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = this.#bytes[this.#at++] as number;
      value |= (byte & 127) << shift;
      if (byte < 128) return value;
    }
  }

  take(length: number): Uint8Array {
    this.#at += length;
    return this.#bytes.subarray(this.#at - length, this.#at);
  }
}

function sharedBytes(a: Uint8Array, b: Uint8Array): number {
  const most = Math.min(a.length, b.length);
  let shared = 0;
  while (shared < most && a[shared] === b[shared]) shared++;
  return shared;
}

/** Packs postings in the order of their words, one after the other. */
export class Packer {
  #before: Uint8Array = new Uint8Array();
  readonly #bytes: number[] = [];

  get size(): number {
    return this.#bytes.length;
  }

  add({ word, numbers }: Posting): void {
    const own = Buffer.from(word);
    const shared = sharedBytes(this.#before, own);
    pushInteger(this.#bytes, shared);
    pushInteger(this.#bytes, own.length - shared);
    this.#bytes.push(...own.subarray(shared));
    pushInteger(this.#bytes, numbers.length);
    let last = 0;
    for (const number of numbers) {
      pushInteger(this.#bytes, number - last);
      last = number;
    }
    this.#before = own;
  }

  bytes(): Uint8Array {
    return Uint8Array.from(this.#bytes);
  }
}

/** Of words that a choice rejects, no numbers are read. */
export function* unpacked(
  bytes: Uint8Array,
  isWanted: (word: string) => boolean = () => true,
): Generator<Posting> {
  const reader = new Reader(bytes);
  let before: Uint8Array = new Uint8Array();
  while (!reader.isOver) {
    const shared = reader.integer();
    const own = Buffer.concat([before.subarray(0, shared), reader.take(reader.integer())]);
    before = own;
    const word = own.toString();
    const count = reader.integer();
    const numbers: number[] = [];
    const wanted = isWanted(word);
    let last = 0;
    for (let i = 0; i < count; i++) {
      last += reader.integer();
      if (wanted) numbers.push(last);
    }
    if (wanted) yield { word, numbers };
  }
}
