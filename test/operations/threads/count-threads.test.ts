import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { problemsOf } from '../../support/failures.ts';
import { longIt } from '../../support/long.ts';
import { eml, givenEntry, givenMailbox, importMail } from '../../support/mail.ts';
import { giveMailbox, takeMailbox } from '../../support/mailbox-access.ts';
import type { ThreadQuery } from '../../support/thread-lists.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../support/workspace.ts';

/** `subjectsOf` checks in every test of a slice or filter that counting agrees with listing. */

describe('GET /threads/count', () => {
  let workspace: Workspace;
  let ada: TestUser;
  let mailbox: string;

  const count = async (query: ThreadQuery = {}, user = ada) =>
    (await user.reader.countThreads({ query })).body.count;

  beforeAll(async () => {
    workspace = await startWorkspace({ files: true });
    ada = workspace.ada;
    mailbox = await givenMailbox(workspace, ada);
    await Promise.all(
      Array.from({ length: 60 }, (_, number) =>
        givenEntry(workspace.table, ada.user, {
          number,
          mailbox_ids: [mailbox],
          subject: `Row ${number}`,
          ...(number < 20 ? { flagged: 1 } : {}),
        }),
      ),
    );
  });
  afterAll(() => workspace?.stop());

  it('is exact without a cap, of more than a page', async () => {
    expect(await count()).toEqual({ total: 60, exact: true, capped: false, cap: null });
  });

  it('is exact below the cap, which is echoed', async () => {
    expect(await count({ cap: '61' })).toEqual({ total: 60, exact: true, capped: false, cap: 61 });
    expect(await count({ cap: '999999999999999' })).toMatchObject({ total: 60, exact: true });
  });

  it.each([
    {},
    { slice: 'inbox' },
    { slice: 'flagged' },
    { flagged: true, unresolved: true },
    { query: 'row' },
    { query: 'r', flagged: true },
    { first_sent_before: '2027-01-01' },
  ] as ThreadQuery[])('counting stops at the cap: total equals cap and exact is false: %j', async (query) => {
    for (const cap of [1, 19, 20])
      expect(await count({ ...query, cap: String(cap) })).toEqual({
        total: cap,
        exact: false,
        capped: true,
        cap,
      });
  });

  it.each(['0', '-1', '1.5', 'x', '1e3', ' 1', '+1', '0x10', '1000000000000000', 'Infinity', 'null'])(
    '400 for the cap %j',
    async (cap) => {
      const problems = await problemsOf(ada.reader.countThreads({ query: { cap } }));
      expect(Object.keys(problems)).toEqual(['cap']);
    },
  );

  it('is 0 where nothing matches', async () => {
    const nothing = { total: 0, exact: true, capped: false, cap: 5 };
    const queries: ThreadQuery[] = [{ query: 'nowhere' }, { participant: 'a@b.example' }, { unread: true }];
    for (const query of queries) expect(await count({ ...query, cap: '5' })).toEqual(nothing);
    expect(await count({ cap: '5' }, workspace.hank)).toEqual(nothing);
  });

  it('ignores paging parameters', async () => {
    const query = { next_cursor: 'x', prev_cursor: 'x', limit: '0' } as ThreadQuery;
    expect((await count(query)).total).toBe(60);
  });

  longIt('counts what the key’s user sees at that moment', async () => {
    const { linus } = workspace;
    const own = await givenMailbox(workspace, linus);
    await importMail(workspace, linus, own, [eml({ id: 'linus@x', subject: 'Mine' })]);
    expect((await count({}, linus)).total).toBe(1);
    const queries: ThreadQuery[] = [{}, { slice: 'inbox' }, { unresolved: true }, { query: 'mine' }];
    await takeMailbox(workspace, linus, own);
    for (const query of queries) expect((await count(query, linus)).total).toBe(0);
    await giveMailbox(workspace, linus, own);
    for (const query of queries) expect((await count(query, linus)).total).toBe(1);
  });
});
