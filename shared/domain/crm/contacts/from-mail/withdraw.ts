import type { Activity } from '#shared/domain/collaboration/activity/activity.ts';
import type { Correspondent } from '#shared/domain/collaboration/records/correspondent.ts';
import type { Contact } from '#shared/domain/crm/contacts/contact.ts';
import { contactDeletion } from '#shared/domain/crm/contacts/writes.ts';
import { commit, together } from '#shared/domain/platform/jobs/commit.ts';
import { keyOf, keys } from '#shared/table/keys.ts';
import { exactly, type Item, missing, type Table, when } from '#shared/table/table.ts';
import type { Decision } from './decision.ts';
import type { Mailed } from './make.ts';
import { untouched } from './untouched.ts';

/** Rows of a contact to which nobody has attached anything: its own, and its lists. */
const OWN_ROWS = /^(?:META|LISTS#.*)$/;
const MOST_ROWS = 20;

/** What its timeline has of the contact itself: nobody changed it since, or it would not be as mail made it. */
function tellsOfItself(row: Item, id: string): boolean {
  const { type, record_id } = row as Activity;
  return record_id === id && (type === 'record_created' || type === 'record_updated');
}

async function isBare(table: Table, { id, shares }: Contact): Promise<boolean> {
  const { PK } = keys.record('contacts', id);
  const { items, last } = await table.query<Item>({ partition: PK, limit: MOST_ROWS });
  const isOwn = (row: Item) => OWN_ROWS.test(row.SK) || tellsOfItself(row, id);
  return !last && Object.keys(shares).length === 0 && items.every(isOwn);
}

/**
 * Takes back a contact whose address turned out to be that of a list, as long as nobody has worked with it: it would not
 * exist if the mail had come in another order. What made it can make it again.
 */
export async function withdraw(mailed: Mailed, person: Correspondent, decision: Decision): Promise<void> {
  const { ctx, mailbox_id } = mailed;
  if (!person.is_list || decision.by.mailbox_id !== mailbox_id) return;
  const contact = await untouched(ctx.table, decision);
  if (!contact || contact.tag_ids || contact.pinned_by || !(await isBare(ctx.table, contact))) return;
  const gone = await contactDeletion(ctx, contact, { tag_ids: missing, pinned_by: missing });
  const unchanged = when<Decision>({ revision: exactly(decision.revision) });
  await commit(ctx, together(gone, [{ delete: keyOf(decision), when: unchanged }]));
}
