import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { countRecords } from '#shared/domain/collaboration/record-lists/count.ts';
import type { Criterion, Others } from '#shared/domain/collaboration/record-lists/criteria.ts';
import { findRecords } from '#shared/domain/collaboration/record-lists/find.ts';
import type { Contact } from '#shared/domain/crm/contacts/contact.ts';
import { contactIndex } from '#shared/domain/crm/contacts/lists.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { newId } from '#shared/ids.ts';
import { callerOf } from '../../../support/callers.ts';
import { rounds } from '../../../support/long.ts';
import { givenContact } from '../../../support/proposals.ts';
import { startWorkspace, type Workspace } from '../../../support/workspace.ts';

const SIZE = 12;

describe('records that match although the lists do not say so', () => {
  let workspace: Workspace;
  let ctx: CallerContext;
  const ids: string[] = [];
  const nameOf = (i: number) => `Contact ${(i * 5) % SIZE}`;
  /** Of records that the user does not see, which are among the others in the order of names. */
  const hidden = Array.from({ length: SIZE }, () => newId(new Date()));
  beforeAll(async () => {
    workspace = await startWorkspace();
    const { hank, table } = workspace;
    for (let i = 0; i < SIZE; i++) ids.push((await givenContact(hank, { name: nameOf(i) })).id);
    ctx = { ...workspace.ctx, now: new Date(), caller: await callerOf(table, hank.user) } as never;
  });
  afterAll(() => workspace.stop());

  /** What is known of them before they are read: nothing, their names, or a guess. */
  function othersOf(places: number[], known: 'ids' | 'names' | 'guess', unseen: number[]): Others {
    const real = places.map((i) => [ids[i] as string, nameOf(i)] as const);
    const names = new Map([...real, ...unseen.map((i) => [hidden[i] as string, nameOf(i)] as const)]);
    if (known === 'guess')
      return { ids: unseen.map((i) => ids[i] as string), sure: Promise.resolve([...names.keys()]) };
    return { ids: [...names.keys()], ...(known === 'names' ? { names } : {}) };
  }

  const some = fc.subarray(Array.from({ length: SIZE }, (_, i) => i));

  async function pagesOf(criteria: Criterion<Contact>[], sort: string, order: 'asc' | 'desc', limit: number) {
    const found: string[] = [];
    for (let after: string | null | undefined; after !== null; ) {
      const query = { index: contactIndex, criteria, sort, order };
      const page = await findRecords(ctx, query, { limit, after: after ?? undefined });
      expect(page.rows.length).toBeLessThanOrEqual(limit);
      // Pages are full.
      if (page.next !== null) expect(page.rows).toHaveLength(limit);
      found.push(...page.rows.map(({ id }) => id));
      after = page.next;
    }
    return found;
  }

  it('are in the pages of each order, once, and in counts', async () => {
    const drawn = {
      listed: some,
      others: some,
      known: fc.constantFrom('ids' as const, 'names' as const, 'guess' as const),
      unseen: some,
      limit: fc.integer({ min: 1, max: 6 }),
      sort: fc.constantFrom('name', 'created_at'),
      order: fc.constantFrom('asc' as const, 'desc' as const),
    };
    await fc.assert(
      fc.asyncProperty(fc.record(drawn), async ({ listed, others, known, unseen, limit, sort, order }) => {
        const idsAt = (places: number[]) => places.map((i) => ids[i] as string);
        const chosen = new Set(idsAt(listed));
        const wider: Criterion<Contact> = {
          keeps: ({ id }) => chosen.has(id),
          others: async () => othersOf(others, known, unseen),
        };
        const all = await pagesOf([], sort, order, SIZE);
        const wanted = all.filter((id) => chosen.has(id) || idsAt(others).includes(id));
        expect(await pagesOf([wider], sort, order, limit)).toEqual(wanted);
        const exact = { lists: ['all'], rough: true as const, ...wider };
        const { total } = await countRecords(ctx, { index: contactIndex, criteria: [exact] }, undefined);
        expect(total).toBe(wanted.length);
      }),
      { numRuns: rounds(8, 300), endOnFailure: true },
    );
  });
});
