import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { countRecords } from '#shared/domain/collaboration/record-lists/count.ts';
import type { Criterion } from '#shared/domain/collaboration/record-lists/criteria.ts';
import { findRecords } from '#shared/domain/collaboration/record-lists/find.ts';
import type { Contact } from '#shared/domain/crm/contacts/contact.ts';
import { contactIndex } from '#shared/domain/crm/contacts/lists.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { callerOf } from '../../../support/callers.ts';
import { rounds } from '../../../support/long.ts';
import { givenContact } from '../../../support/proposals.ts';
import { startWorkspace, type Workspace } from '../../../support/workspace.ts';

const SIZE = 12;

describe('records that match although the lists do not say so', () => {
  let workspace: Workspace;
  let ctx: CallerContext;
  const ids: string[] = [];
  beforeAll(async () => {
    workspace = await startWorkspace();
    const { hank, table } = workspace;
    for (let i = 0; i < SIZE; i++)
      ids.push((await givenContact(hank, { name: `Contact ${(i * 5) % SIZE}` })).id);
    ctx = { ...workspace.ctx, now: new Date(), caller: await callerOf(table, hank.user) } as never;
  });
  afterAll(() => workspace.stop());

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
      limit: fc.integer({ min: 1, max: 6 }),
      sort: fc.constantFrom('name', 'created_at'),
      order: fc.constantFrom('asc' as const, 'desc' as const),
    };
    await fc.assert(
      fc.asyncProperty(fc.record(drawn), async ({ listed, others, limit, sort, order }) => {
        const idsAt = (places: number[]) => places.map((i) => ids[i] as string);
        const chosen = new Set(idsAt(listed));
        const wider: Criterion<Contact> = {
          keeps: ({ id }) => chosen.has(id),
          others: async () => idsAt(others),
        };
        const all = await pagesOf([], sort, order, SIZE);
        const wanted = all.filter((id) => chosen.has(id) || idsAt(others).includes(id));
        expect(await pagesOf([wider], sort, order, limit)).toEqual(wanted);
        const exact = { lists: ['all'], rough: true as const, ...wider };
        const { total } = await countRecords(ctx, { index: contactIndex, criteria: [exact] }, undefined);
        expect(total).toBe(wanted.length);
      }),
      { numRuns: rounds(10, 100), endOnFailure: true },
    );
  });
});
