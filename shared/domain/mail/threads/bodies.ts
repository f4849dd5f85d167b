import { gunzipSync } from 'node:zlib';
import type { ParsedBody } from '#shared/domain/mail/mime/message.ts';
import { splitSanitized } from '#shared/domain/platform/html/cut.ts';
import { type Bucket, objectKeys } from '#shared/providers/files/bucket.ts';
import { keys } from '#shared/table/keys.ts';
import type { QueryPage, Table } from '#shared/table/table.ts';
import type { StoredBody } from './body.ts';
import { type ShownBodies, shownBody } from './shown-body.ts';
import type { Message, Thread } from './thread.ts';

/** The bodies in a response: newest first, and none is unpacked that does not fit. */

/** Bytes of all bodies in one response, as JSON. */
const BODIES_BYTES = 16 * 1024 * 1024;

/** Messages whose packed bodies are read together. */
const AT_ONCE = 10;

/** Bytes below which a cut body is useless. */
const LEAST = 4 * 1024;

const bytesOf = (body: ParsedBody) => Buffer.byteLength(JSON.stringify(body));

/** An offset where sanitized HTML can be cut: in no tag, in no character reference, between two characters. */
function cutBefore(html: string, characters: number): number {
  const opening = html.lastIndexOf('<', characters - 1);
  if (opening > html.lastIndexOf('>', characters - 1)) return opening;
  const reference = html.lastIndexOf('&', characters - 1);
  if (reference > html.lastIndexOf(';', characters - 1) && characters - reference < 12) return reference;
  return html.slice(0, characters).isWellFormed() ? characters : characters - 1;
}

/** The beginning of every field. UTF-8 has at most three bytes for each UTF-16 unit. */
function shorten(body: ParsedBody, bytes: number): ParsedBody {
  const characters = Math.floor(bytes / 5 / 3);
  const text = (value: string | null) => value && [...value.slice(0, characters)].join('').toWellFormed();
  const html = (value: string | null) => {
    if (value === null || value.length <= characters) return value;
    return splitSanitized(value, cutBefore(value, characters)).before;
  };
  return {
    ...body,
    sanitized_html: html(body.sanitized_html),
    new_plain_text: text(body.new_plain_text),
    new_html: html(body.new_html),
    quoted_plain_text: text(body.quoted_plain_text),
    quoted_html: html(body.quoted_html),
    truncated: true,
  };
}

/** For a body that is not unpacked: the beginning of its text, which the message stores. */
function unread({ snippet }: Message): ParsedBody {
  return {
    source_format: 'plain',
    sanitized_html: null,
    new_plain_text: snippet,
    new_html: null,
    quoted_plain_text: null,
    quoted_html: null,
    has_quote_header: false,
    truncated: true,
  };
}

/** The first page of stored bodies, read in parallel with the messages; a long thread has more. */
export function firstBodyItems(table: Table, thread: string): Promise<QueryPage<StoredBody>> {
  return table.query<StoredBody>({
    partition: keys.record('threads', thread).PK,
    sort: { begins: 'BODY#' },
    limit: 1_000,
  });
}

interface Sources {
  table: Table;
  bucket: () => Bucket;
  thread: Thread;
  first: QueryPage<StoredBody>;
}

/** The packed bodies of these messages, without those that are moving to another thread. */
async function fetchPacked(
  { table, bucket, thread, first }: Sources,
  messages: Message[],
): Promise<Map<string, Uint8Array>> {
  const wanted = new Set(messages.map(({ id }) => id));
  const read = first.items.filter(({ message_id }) => wanted.has(message_id));
  for (const { message_id } of read) wanted.delete(message_id);
  const further = first.last
    ? await table.getMany<StoredBody>([...wanted].map((id) => keys.body(thread.id, id)))
    : [];
  const packed = [...read, ...further].map(
    async ({ message_id, compressed }) =>
      [
        message_id,
        compressed ?? (await bucket().get(objectKeys.body(thread.account_id, message_id))),
      ] as const,
  );
  return new Map(await Promise.all(packed));
}

export type Unpack = (packed: Uint8Array) => Buffer;

/**
 * Bodies by message id; `messages` newest first, only those that the user may see. Bodies that fit are whole, the first
 * one that does not is cut, and the others are only the snippet; the last two kinds are marked as truncated.
 */
export async function newestBodies(
  sources: Sources,
  messages: Message[],
  choice: ShownBodies,
  unpack: Unpack = gunzipSync,
): Promise<Map<string, ParsedBody>> {
  const bodies = new Map<string, ParsedBody>();
  let left = BODIES_BYTES;
  for (let at = 0; at < messages.length; at += AT_ONCE) {
    const some = messages.slice(at, at + AT_ONCE);
    const packed = left < LEAST ? undefined : await fetchPacked(sources, some);
    for (const message of some) {
      const bytes = packed?.get(message.id);
      if (left < LEAST) bodies.set(message.id, unread(message));
      else if (bytes) {
        const stored = JSON.parse(unpack(bytes).toString('utf8')) as ParsedBody;
        const body = shownBody(stored, choice);
        const size = bytesOf(body);
        bodies.set(message.id, size <= left ? body : shorten(body, left));
        left -= size;
      }
    }
  }
  return bodies;
}
