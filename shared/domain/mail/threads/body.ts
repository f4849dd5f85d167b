import { gunzipSync, gzipSync } from 'node:zlib';
import type { ParsedBody } from '#shared/domain/mail/mime/message.ts';
import { wordsOfMessage } from '#shared/domain/mail/texts/words.ts';
import type { Bucket } from '#shared/providers/files/bucket.ts';
import { objectKeys } from '#shared/providers/files/bucket.ts';
import { keys } from '#shared/table/keys.ts';
import type { Item } from '#shared/table/table.ts';
import type { Message } from './thread.ts';

/** The body of a message: in the table when it is small, in the bucket when it is not. */
export type StoredBody = Item & {
  message_id: string;
  /** Compressed JSON; missing when it is in the bucket. */
  compressed?: Uint8Array;
  /** Of one in the bucket, the words that an index of texts has of its message, compressed. */
  words?: Uint8Array;
};

/** Compressed bytes: an item may have 400 kB, and one query reads a thread's bodies. */
const INLINE_BYTES = 32 * 1024;

/** Writes a large body to the bucket; returns the item that contains the body or points to it. */
export async function storeBody(
  bucket: Bucket,
  place: { account_id: string; thread_id: string; message_id: string },
  body: ParsedBody,
  words: () => readonly string[],
): Promise<StoredBody> {
  const compressed = gzipSync(JSON.stringify(body));
  const item = { ...keys.body(place.thread_id, place.message_id), message_id: place.message_id };
  if (compressed.length <= INLINE_BYTES) return { ...item, compressed };
  await bucket.put(objectKeys.body(place.account_id, place.message_id), compressed, 'application/gzip');
  return { ...item, words: gzipSync(words().join(' ')) };
}

/** The plain text of a body that is in the table; undefined for a large one. */
export function textsOfBody({
  compressed,
}: StoredBody): Pick<ParsedBody, 'new_plain_text' | 'quoted_plain_text'> | undefined {
  return compressed && (JSON.parse(gunzipSync(compressed).toString('utf8')) as ParsedBody);
}

/** What an index of texts has of a message; of a large one that came before its words were kept, those of its beginning. */
export function wordsOfBody(message: Message, body: StoredBody | undefined): string[] {
  if (body?.words) return gunzipSync(body.words).toString('utf8').split(' ');
  const texts = body && textsOfBody(body);
  const beginning = { new_plain_text: message.snippet, quoted_plain_text: null };
  return wordsOfMessage({ ...message, body: texts ?? beginning });
}

/** Bodies of a few messages by id, large ones from the bucket. Pass only messages that the user may see. */
export async function readBodies(
  bucket: () => Bucket,
  account_id: string,
  items: StoredBody[],
): Promise<Map<string, ParsedBody>> {
  const bodies = await Promise.all(
    items.map(async ({ message_id, compressed }) => {
      const bytes = compressed ?? (await bucket().get(objectKeys.body(account_id, message_id)));
      return [message_id, JSON.parse(gunzipSync(bytes).toString('utf8')) as ParsedBody] as const;
    }),
  );
  return new Map(bodies);
}
