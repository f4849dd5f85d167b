import type { Dependent } from '#shared/domain/collaboration/life/dependent.ts';
import { changeAgain } from '#shared/domain/collaboration/record-lists/again.ts';
import { keys } from '#shared/table/keys.ts';
import { type Table, update, type Write } from '#shared/table/table.ts';
import { accessWrites } from '../access.ts';
import type { Contact } from '../contact.ts';
import { contactIndex } from '../lists.ts';

/**
 * A contact of the account became private by a merge with a private one. When that is taken back, it is the account's again
 * only after what belongs to the private one has left it.
 */

/** `opens`: the survivor is to be the account's again. */
export type Restored = Contact & { opens?: boolean };

/** Also of one that was deleted meanwhile, which may come back. */
const opening = (table: Table, id: string, now: Date): Promise<Write[]> =>
  changeAgain<Contact>({ table, now }, contactIndex, id, {
    change: (before) => (before.visibility === 'private' ? { ...before, visibility: 'account' } : before),
    besides: (before, after) => accessWrites(table, before, after),
  });

export const openingOfSurvivors: Dependent = {
  async *moving() {},
  async *removing() {},
  async *returning({ table, clock }, from, into) {
    if (from.type !== 'contacts') return;
    const key = keys.record('contacts', into.id);
    const restored = await table.get<Restored>(key);
    if (!restored?.opens) return;
    const opened = await opening(table, from.id, new Date(clock()));
    yield [...opened, update<Restored>(key, { remove: ['opens'], when: { opens: true } })];
  },
};
