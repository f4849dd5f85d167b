import type { AssistantReply, StoredBlock } from './block.ts';

/**
 * The size of a reply in a response: bytes as JSON. Parts that are added on reading count with their maximum, because
 * they are read only for the replies that fit (docs/decisions/0022-large-responses.md).
 */

/** Bytes of comments, or of a conversation's messages, in one response: docs/decisions/0022-large-responses.md. */
export const RESPONSE_BYTES = 40 * 1024 * 1024;

/** The name of a record: 255 characters of four bytes at most. */
const LABEL = 1_100;

/** The display of a change, with 255 characters before and after for each field of a contact, and the reason. */
const PROPOSAL = 50_000;

function addedTo(each: StoredBlock): number {
  if (each.type === 'proposal') return PROPOSAL;
  return each.type === 'table' ? LABEL * each.rows.filter(({ ref }) => ref !== undefined).length : 0;
}

export function weightOfReply(reply: AssistantReply): number {
  const { names = [], blocks, refs } = reply;
  const stored = Buffer.byteLength(JSON.stringify(reply));
  // The text, which is also a block, contains another name of the record in both.
  const labels = LABEL * (refs.length + 2 * names.length);
  return stored + labels + blocks.reduce((sum, each) => sum + addedTo(each), 0);
}
