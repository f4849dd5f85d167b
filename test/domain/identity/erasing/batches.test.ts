import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Account } from '#shared/domain/identity/accounts/account.ts';
import { type ClosedAccount, closedKey } from '#shared/domain/identity/accounts/closed.ts';
import { openAccount } from '#shared/domain/identity/accounts/open.ts';
import { reopenAccount } from '#shared/domain/identity/accounts/reopen.ts';
import { beginErasing, ERASING, type ErasingJob } from '#shared/domain/identity/erasing/job.ts';
import { addUser } from '#shared/domain/identity/users/add.ts';
import { findLogin } from '#shared/domain/identity/users/addresses.ts';
import type { User } from '#shared/domain/identity/users/user.ts';
import { newJob } from '#shared/domain/platform/jobs/job.ts';
import { newId } from '#shared/ids.ts';
import { keys } from '#shared/table/keys.ts';
import { ConditionFailed } from '#shared/table/table.ts';
import { handler as doDueWork } from '../../../../functions/queues/do-due-work.ts';
import { handler as erase } from '../../../../functions/queues/erase-accounts.ts';
import { givenAccount } from '../../../support/accounts.ts';
import { eraseDate } from '../../../support/erasing.ts';
import { meanwhile } from '../../../support/faults.ts';
import { deliverMessages, openJobs } from '../../../support/jobs.ts';
import { longIt } from '../../../support/long.ts';
import { newAddress } from '../../../support/one-time-codes.ts';
import { givenContact } from '../../../support/proposals.ts';
import { scan } from '../../../support/scan.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../../support/workspace.ts';

/** Several accounts, several runs, and what others have to do with them. */
describe('erasing accounts, run by run', () => {
  let workspace: Workspace;
  beforeAll(async () => {
    workspace = await startWorkspace({ own_table: true, files: true });
  });
  afterAll(() => workspace.stop());
  beforeEach(() => workspace.setTime(undefined));

  const close = async ({ session, user }: TestUser) => {
    await session.closeAccount({ params: { id: user.account_id } });
    return (await workspace.table.get<Account>(keys.account(user.account_id))) as Account;
  };
  const isDue = () => workspace.setTime(new Date(eraseDate()));
  const run = (remaining = 600_000) => deliverMessages(erase, [{ job_id: ERASING }], remaining);
  const jobNow = () => workspace.table.get<ErasingJob>(keys.job(ERASING));
  const eraseNow = async () => {
    isDue();
    await beginErasing(workspace.ctx);
    expect((await run()).failed).toEqual([]);
    expect(await jobNow()).toBeUndefined();
  };
  const traces = async (id: string) =>
    (await scan(workspace.table)).filter((item) => JSON.stringify(item).includes(id));
  const given = async () => (await givenAccount(workspace, 1))[0] as TestUser;

  longIt('all that are due at once, by one job, in as many runs as it takes', async () => {
    const owners = [await given(), await given(), await given()];
    for (const each of owners) {
      await givenContact(each);
      await close(each);
    }
    isDue();
    await doDueWork();
    expect((await jobNow())?.account_ids).toHaveLength(3);
    // Without time for another page, a run does nothing, and loses nothing.
    for (let i = 0; i < 3; i++) expect((await run(1_000)).failed).toEqual([]);
    expect(await jobNow()).toMatchObject({ pass: 1, erased: 0 });
    expect((await run()).failed).toEqual([]);
    for (const { user } of owners) expect(await traces(user.account_id)).toEqual([]);
  });

  longIt('an account that closes meanwhile is erased by the next job', async () => {
    const [first, second] = [await given(), await given()];
    await close(first);
    isDue();
    await beginErasing(workspace.ctx);
    workspace.setTime(undefined);
    await close(second);
    isDue();
    await beginErasing(workspace.ctx);
    expect((await jobNow())?.account_ids).toEqual([first.user.account_id]);
    await run();
    expect(await traces(second.user.account_id)).not.toEqual([]);
    await eraseNow();
    expect(await traces(second.user.account_id)).toEqual([]);
  });

  longIt('leaves an account alone that is open again, or that still pays', async () => {
    const [open, paying] = [await given(), await given()];
    const account = await close(open);
    await workspace.table.update<ClosedAccount>(closedKey(await close(paying)), { set: { paying: true } });
    isDue();
    await beginErasing(workspace.ctx);
    await reopenAccount(workspace.table, account, workspace.ctx.now);
    expect((await jobNow())?.account_ids).toEqual([open.user.account_id]);
    await run();
    expect((await open.reader.retrieveCurrentUser()).status).toBe(200);
    expect(await workspace.table.get(keys.account(paying.user.account_id))).toBeDefined();
  });

  longIt('goes on when the bucket answers again, and the account stays until then', async () => {
    const owner = await given();
    const { account_id } = owner.user;
    await close(owner);
    isDue();
    await beginErasing(workspace.ctx);
    const endpoint = workspace.ctx.config.s3_endpoint;
    workspace.ctx.config.s3_endpoint = 'http://127.0.0.1:9';
    expect((await run()).failed).toEqual(['m0']);
    expect(await jobNow()).toMatchObject({ clean: true });
    expect(await workspace.table.get(keys.account(account_id))).toMatchObject({ status: 'closed' });
    workspace.ctx.config.s3_endpoint = endpoint;
    expect((await run()).failed).toEqual([]);
    expect(await traces(account_id)).toEqual([]);
  });

  longIt('an account that is being erased is not opened again', async () => {
    const owner = await given();
    const account = await close(owner);
    isDue();
    await beginErasing(workspace.ctx);
    const fault = meanwhile(workspace.table, 'ScanCommand', async () => {
      const reopening = reopenAccount(workspace.table, account, workspace.ctx.now);
      await expect(reopening).rejects.toThrow(ConditionFailed);
    });
    await run();
    fault.remove();
    expect(fault.hit).toBe(true);
    expect(await traces(owner.user.account_id)).toEqual([]);
  });

  longIt.each([1, 2])('an address that somebody takes at that moment is theirs: %i', async (which) => {
    const { table } = workspace;
    const person = { time_zone: 'UTC', week_starts_on: 'monday' as const, email_address: newAddress() };
    const old = await given();
    await addUser(table, old.user.account_id, { name: 'Old', role: 'member', ...person }, new Date());
    await close(old);
    isDue();
    await beginErasing(workspace.ctx);
    // After the page was read, and before the items on it go.
    const fault = meanwhile(
      table,
      'DeleteItemCommand',
      async () => {
        await openAccount(table, { name: 'New', owner: { name: 'New', ...person } }, new Date());
      },
      which,
    );
    expect((await run()).failed).toEqual([]);
    fault.remove();
    expect(fault.hit).toBe(true);
    const login = await findLogin(table, person.email_address);
    expect(await table.get<User>(keys.user(login?.account_id ?? '', login?.user_id ?? ''))).toMatchObject({
      name: 'New',
    });
    expect(await traces(old.user.account_id)).toEqual([]);
  });

  longIt('what others wrote with its ids, and jobs of others, stay', async () => {
    const { table, hank, ctx } = workspace;
    const old = await given();
    const { id, account_id } = old.user;
    const texts = { name: account_id, headline: id, email_addresses: [{ email_address: `${id}@x.example` }] };
    const contact = await givenContact(hank, texts);
    const [theirs, own] = [
      newJob('import-mail', { account_id: hank.user.account_id, text: account_id }, ctx.now),
      newJob('index-records', { linked_to: { type: 'contacts', id: (await givenContact(old)).id } }, ctx.now),
    ];
    await table.writeMany([{ put: theirs }, { put: own }]);
    await close(old);
    await eraseNow();
    const { body } = await hank.reader.listContacts({ query: { query: id } });
    expect(body.collection.records.map((record) => record.id)).toEqual([contact.id]);
    expect((await hank.reader.retrieveContact({ params: { id: contact.id } })).body.contact).toMatchObject({
      name: account_id,
      headline: id,
    });
    const open = (await openJobs(table)).map((job) => job.id);
    expect([open.includes(theirs.id), open.includes(own.id)]).toEqual([true, false]);
  });

  it('a message of a job that is gone is harmless, and one without a job fails alone', async () => {
    const bodies = [{ job_id: newId(new Date()) }, { job_id: ERASING }];
    expect((await deliverMessages(erase, bodies, 600_000)).failed).toEqual([]);
    expect((await deliverMessages(erase, [{}, 'not json'], 600_000)).failed.sort()).toEqual(['m0', 'm1']);
  });
});
