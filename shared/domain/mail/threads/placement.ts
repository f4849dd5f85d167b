import type { Table } from '#shared/table/table.ts';
import { type Addresses, type Attachment, attachmentOf, type Link, linkOf, nearestOf } from './forest.ts';
import { type IdRow, messagesWithId, readMessages } from './message-ids.ts';

/** Where one message belongs in one mailbox, looked up by the ids that it names. */

export interface Placement {
  attachment: Attachment;
  /** The nearest ancestor, even when the message begins a thread of its own. */
  ancestor?: Link;
  /** Hashes of the ids that were looked up, up to the nearest ancestor's: a message with one of them may be nearer. */
  looked_for: string[];
  /** The first id was found, or there is none: no message that arrives meanwhile is nearer. */
  certain: boolean;
}

/** Ids looked up at once, in this order; the first id of most messages is their parent's. */
const AT_ONCE = [1, 7, 32];

/** `copies`: the rows of messages that may be copies of this one. */
export async function placeMessage(
  table: Table,
  account: string,
  link: Link,
  mailbox_id: string,
  addresses: Addresses,
  copies: IdRow[],
): Promise<Placement> {
  const found = new Map<string, Link[]>();
  const looked_for: string[] = [];
  for (const size of AT_ONCE) {
    const hashes = link.ancestors.slice(looked_for.length, looked_for.length + size);
    if (hashes.length === 0) break;
    const rows = await Promise.all(hashes.map((hash) => messagesWithId(table, account, hash, mailbox_id)));
    const links = (await readMessages(table, rows.flat())).map(linkOf);
    for (const [hash, claims] of Map.groupBy(links, ({ id_hash }) => id_hash)) found.set(hash, claims);
    const nearest = nearestOf(link, mailbox_id, (hash) => found.get(hash) ?? [], addresses);
    if (nearest) {
      looked_for.push(...hashes.slice(0, hashes.indexOf(nearest.hash) + 1));
      return {
        attachment: attachmentOf(link, mailbox_id, nearest, []),
        ancestor: nearest.ancestor,
        looked_for,
        certain: looked_for.length === 1,
      };
    }
    looked_for.push(...hashes);
  }
  const others = link.oldest === undefined ? (await readMessages(table, copies)).map(linkOf) : [];
  const certain = link.ancestors.length === 0;
  return { attachment: attachmentOf(link, mailbox_id, undefined, others), looked_for, certain };
}
