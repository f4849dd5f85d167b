import { gunzipSync, gzipSync } from 'node:zlib';
import { isLive } from '#shared/domain/collaboration/records/live.ts';
import { ApiError } from '#shared/errors.ts';
import { keys } from '#shared/table/keys.ts';
import { at, ConditionFailed, type Item, type Table, update, type Write } from '#shared/table/table.ts';
import type { CalendarEvent, StoredBrief, StoredTranscript } from '../event.ts';
import type { Transcript } from './transcript.ts';

/**
 * A transcript is one compressed text, in as many items as it needs. All of them are written in one transaction with the
 * event, which names the transcript: a reader sees the old one or the new one.
 */

type Part = Item & { bytes: Uint8Array };

/** Bytes of one item: DynamoDB allows 400 kB. */
const PART = 380_000;
/** Bytes of a transaction: DynamoDB allows 4 MB. Text of a whole request is smaller when it is compressed. */
const MOST = 3_900_000;

export function partsOf(event_id: string, id: string, segments: Transcript['segments']): Part[] {
  const bytes = gzipSync(JSON.stringify(segments));
  if (bytes.length > MOST) throw new ApiError('payload_too_large');
  const count = Math.ceil(bytes.length / PART);
  return Array.from({ length: count }, (_, part) => ({
    ...keys.transcriptPart(event_id, id, part),
    bytes: bytes.subarray(part * PART, (part + 1) * PART),
  }));
}

/** The items of the transcript that ends. */
export const removal = (event_id: string, before: StoredTranscript | null): Write[] =>
  Array.from({ length: before?.parts ?? 0 }, (_, part) => ({
    delete: keys.transcriptPart(event_id, before?.id ?? '', part),
  }));

/** Fails when the event is gone, or another request changed its transcript. */
export function eventWrite(
  { PK, SK, transcript }: CalendarEvent,
  after: StoredTranscript | null,
  brief?: StoredBrief,
): Write {
  const same = transcript === null ? null : at('id', transcript.id);
  return update<CalendarEvent>(
    { PK, SK },
    { set: { transcript: after, brief }, when: { ...isLive, transcript: same } },
  );
}

/** Throws ConditionFailed when it was replaced or deleted while it was read. */
export async function readSegments(
  table: Table,
  event_id: string,
  { id, parts }: StoredTranscript,
): Promise<Transcript['segments']> {
  const wanted = Array.from({ length: parts }, (_, part) => keys.transcriptPart(event_id, id, part));
  const read = await table.getMany<Part>(wanted);
  if (read.length < parts) throw new ConditionFailed(undefined);
  const inOrder = read.sort((a, b) => (a.SK < b.SK ? -1 : 1));
  return JSON.parse(gunzipSync(Buffer.concat(inOrder.map(({ bytes }) => bytes))).toString('utf8'));
}
