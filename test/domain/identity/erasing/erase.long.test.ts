import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { beginErasing, ERASING } from '#shared/domain/identity/erasing/job.ts';
import { partitions, partsOf } from '#shared/domain/identity/erasing/partitions.ts';
import { prefixesOf } from '#shared/providers/files/erase.ts';
import { keys } from '#shared/table/keys.ts';
import type { Item } from '#shared/table/table.ts';
import { handler as erase } from '../../../../functions/queues/erase-accounts.ts';
import { eraseDate, fillAccount, listObjects } from '../../../support/erasing.ts';
import { crashAfter, failCall, watchCalls } from '../../../support/faults.ts';
import { deliverMessages, openJobs } from '../../../support/jobs.ts';
import { scan } from '../../../support/scan.ts';
import { startWorkspace, type Workspace } from '../../../support/workspace.ts';

const keyOf = ({ PK, SK }: Item) => `${PK} ${SK}`;
const byKey = (a: Item, b: Item) => (keyOf(a) < keyOf(b) ? -1 : 1);

describe('erasing accounts', () => {
  let workspace: Workspace;
  let acme: string;
  /** Items of Globex, and of the service. */
  let others: Item[];
  let theirs: string[];
  let time: number;

  /** What names Acme or its people, in whatever way. */
  const traces = (text: string) => {
    const { ada, grace, linus } = workspace;
    const ids = [acme, ...[ada, grace, linus].flatMap(({ user }) => [user.id, user.email_address])];
    return ids.filter((id) => text.includes(id));
  };
  const wait = (minutes: number) => {
    time += minutes * 60_000;
    workspace.setTime(new Date(time));
  };
  const run = (remaining = 600_000) => deliverMessages(erase, [{ job_id: ERASING }], remaining);

  beforeAll(async () => {
    workspace = await startWorkspace({ own_table: true, files: true });
    acme = workspace.account_id;
    const { table, hank, grace, ada } = workspace;
    await fillAccount(workspace, hank);
    const before = new Set((await scan(table)).map(keyOf));
    theirs = await listObjects(workspace);
    await fillAccount(workspace, grace);
    await ada.session.closeAccount({ params: { id: acme } });
    others = (await scan(table)).filter(
      (item) => before.has(keyOf(item)) && traces(JSON.stringify(item)).length === 0,
    );
    time = eraseDate();
  });
  afterAll(() => workspace.stop());

  it('is tried with items of every kind', async () => {
    const kinds = new Set((await scan(workspace.table)).map((item) => partsOf(item)[0]));
    const all = Object.entries(partitions).filter(([, belonging]) => belonging !== 'nobody');
    expect(all.filter(([kind]) => !kinds.has(kind))).toEqual([]);
  });

  it('begins 30 days after the closing, and not before', async () => {
    wait(-1);
    await beginErasing(workspace.ctx);
    expect(await openJobs(workspace.table, 'erase-accounts')).toEqual([]);
    wait(1);
    await Promise.all([beginErasing(workspace.ctx), beginErasing(workspace.ctx)]);
    expect(await openJobs(workspace.table, 'erase-accounts')).toMatchObject([
      { id: ERASING, account_ids: [acme], pass: 1, erased: 0 },
    ]);
  });

  it('is killed at every call and goes on, and a second worker leaves it alone', async () => {
    const { table } = workspace;
    const calls = watchCalls(table);
    let kills = 0;
    for (let call = 1; call < 500; call++) {
      // A worker that dies keeps the job until its time is over.
      const fault = call % 2 === 0 ? crashAfter(table, call) : failCall(table, call, 'before');
      const { failed } = await run();
      await calls.quiet();
      fault.remove();
      if (!fault.hit) break;
      expect(failed).toEqual(['m0']);
      if (call === 2) expect((await run()).failed).toEqual(['m0']);
      wait(16);
      kills++;
    }
    calls.remove();
    expect(kills).toBeGreaterThan(15);
    expect(await openJobs(table, 'erase-accounts')).toEqual([]);
  });

  it('leaves no item and no byte, and everything of other accounts as it was', async () => {
    const left = await scan(workspace.table);
    expect(left.filter((item) => traces(JSON.stringify(item)).length > 0)).toEqual([]);
    const erased = keyOf(keys.erasedAccount(acme));
    expect(left.filter((item) => keyOf(item) !== erased).sort(byKey)).toEqual(others.sort(byKey));
    expect(theirs.length).toBeGreaterThan(1);
    expect((await listObjects(workspace)).sort()).toEqual(theirs.sort());
    expect(prefixesOf(acme).length).toBe(5);
  });

  it('leaves only that it happened, for whoever knows the id', async () => {
    expect(await workspace.table.get(keys.erasedAccount(acme))).toEqual({
      ...keys.erasedAccount(acme),
      closed_at: expect.any(String),
      erased_at: expect.any(String),
    });
    // A message that is delivered again finds nothing to do.
    expect((await run()).failed).toEqual([]);
    await beginErasing(workspace.ctx);
    expect(await openJobs(workspace.table, 'erase-accounts')).toEqual([]);
  });
});
