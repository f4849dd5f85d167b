import { decodeLatin, type Encoding } from './encoding.ts';
import { linesFrom, unfolded } from './lines.ts';
import type { ByteSource } from './source.ts';

/**
 * Divides a file of vCards into cards, with the place where each ends, in constant memory. What the service does not
 * keep is left out while it is read: a photo has megabytes.
 */

/** Bytes of a card without its photos. */
const MAX_CARD = 256 * 1024;

const LEFT_OUT = /^(?:[\w-]+\.)?(?:PHOTO|LOGO|SOUND|KEY|X-[\w-]+)[;:]/i;
/** A picture that is elsewhere is a link. */
const IS_LINK = /:https?:\/\/[^\s]{1,2000}$/i;

export type CardEntry =
  /** Its lines, unfolded. */
  { card: string; next: number } | { failure: 'row_too_large'; next: number };

/** The lines of one card; those of photos are dropped, with the lines that continue them. */
class Card {
  readonly #lines: string[] = [];
  #length = 0;
  #dropping = false;

  add(text: string): void {
    const continues = /^[ \t]/.test(text);
    if (!continues) this.#dropping = LEFT_OUT.test(text) && !IS_LINK.test(text);
    if (this.#dropping) return;
    this.#length += text.length;
    if (this.#length <= MAX_CARD) this.#lines.push(text);
  }

  entry(encoding: Encoding, next: number): CardEntry {
    if (this.#length > MAX_CARD) return { failure: 'row_too_large', next };
    return { card: decodeLatin(unfolded(this.#lines), encoding), next };
  }
}

const isMark = (text: string, mark: string) => text.trim().toUpperCase() === `${mark}:VCARD`;

/**
 * Cards from a place between two of them. What is outside of cards is passed over. A card without an end ends where the next
 * one begins.
 */
export async function* readCards(
  source: ByteSource,
  encoding: Encoding,
  from: number,
): AsyncGenerator<CardEntry> {
  let card: Card | undefined;
  let at = from;
  for await (const { text, next } of linesFrom(source, from)) {
    if (isMark(text, 'BEGIN')) {
      if (card) yield card.entry(encoding, at);
      card = new Card();
    }
    at = next;
    card?.add(text);
    if (!card || !isMark(text, 'END')) continue;
    yield card.entry(encoding, next);
    card = undefined;
  }
  // The file ends within a card.
  if (card) yield card.entry(encoding, source.size);
}
