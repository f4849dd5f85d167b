import { withStandingLinks } from '#shared/domain/collaboration/deletions/standing-links.ts';
import { keys } from '#shared/table/keys.ts';
import type { Table, Write } from '#shared/table/table.ts';
import type { Contact } from '../contact.ts';
import { restorableContacts } from '../restore.ts';
import type { Before } from './parted.ts';

/**
 * Organizations and spaces may have been deleted since two contacts became one. That is no change of these: what they were
 * before and after counts as if it had happened then.
 */

/** With the links that stand, and the writes for those that come back with what they lead to. */
async function standing(table: Table, contact: Contact): Promise<{ after: Contact; writes: Write[] }> {
  let after = contact;
  const writes: Write[] = [];
  for (const linking of restorableContacts.links) {
    const stands = await withStandingLinks(table, linking, after);
    after = stands.after;
    writes.push(...stands.writes);
  }
  return { after, writes };
}

/**
 * The other contact without the spaces from which users removed the survivor. What the survivor is to get back with a
 * space, and had by the merge alone, is the other contact's to get back.
 */
async function inSpaces(
  table: Table,
  { before, gone, now }: Before,
): Promise<{ gone: Contact; writes: Write[] }> {
  const all = Object.entries(gone.memberships ?? {});
  const left = all.map(([space]) => space).filter((space) => !now.memberships?.[space]);
  const rowOf = (space: string) => keys.formerLink('spaces', space, 'membership', 'contacts', now.id);
  const rows = await table.getMany(left.map(rowOf));
  const waits = (space: string) => rows.some(({ PK }) => PK === rowOf(space).PK);
  const memberships = all.filter(([space]) => !left.includes(space) || waits(space));
  const theirs = left.filter((space) => waits(space) && !before.memberships?.[space]);
  return {
    gone: { ...gone, memberships: Object.fromEntries(memberships) },
    writes: theirs.map((space) => ({ delete: rowOf(space) })),
  };
}

/** `former`: the other contact gets the links that do not stand when what they lead to is restored. */
export async function standingStates(table: Table, states: Before): Promise<Before & { former: Write[] }> {
  const { gone, writes } = await inSpaces(table, states);
  const [before, after, restored] = await Promise.all([
    standing(table, states.before),
    standing(table, states.after),
    standing(table, gone),
  ]);
  return {
    ...states,
    before: before.after,
    after: after.after,
    gone: restored.after,
    former: [...writes, ...restored.writes],
  };
}
