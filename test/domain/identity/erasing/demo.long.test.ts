import { expect, it, vi } from 'vitest';
import { createClient } from '#shared/api/client.ts';
import { beginErasing, ERASING } from '#shared/domain/identity/erasing/job.ts';
import type { User } from '#shared/domain/identity/users/user.ts';
import { setServices } from '#shared/services.ts';
import { keys } from '#shared/table/keys.ts';
import type { Item } from '#shared/table/table.ts';
import { families } from '../../../../functions/catalogue.ts';
import { handler as erase } from '../../../../functions/queues/erase-accounts.ts';
import { withDemo } from '../../../../infra/local/demo/with-demo.ts';
import { eraseDate, listObjects } from '../../../support/erasing.ts';
import { deliverMessages, openJobs } from '../../../support/jobs.ts';
import { scan } from '../../../support/scan.ts';
import type { Workspace } from '../../../support/workspace.ts';

/** With all that the demo shows: mail in threads, answers, series of events, merges, imports, reminders. */

const keyOf = ({ PK, SK }: Item) => `${PK} ${SK}`;
const byKey = (a: Item, b: Item) => (keyOf(a) < keyOf(b) ? -1 : 1);

// A new one: schedules, which begin with it, are not due while it is erased.
const fresh = { fresh: true };

it('erases one account of the demo, and leaves the other one as it was', { timeout: 300_000 }, async () => {
  await withDemo(async ({ stack: { services }, demo }) => {
    const { table } = services;
    const [acme, globex] = demo.accounts as [(typeof demo.accounts)[0], (typeof demo.accounts)[0]];
    const owner = acme.users.find(({ role }) => role === 'owner');
    const api = createClient(families, { base_url: demo.base_url, key: owner?.session_token ?? '' });
    const objects = (account: string) =>
      listObjects({ ctx: services } as unknown as Workspace).then((all) =>
        all.filter((key) => key.includes(account)),
      );
    const files = await objects(globex.id);
    expect((await objects(acme.id)).length).toBeGreaterThan(10);

    await api.closeAccount({ params: { id: acme.id } });
    // What sorts texts comes with a sweep, and would change the other account meanwhile.
    const isSorted = async () => (await openJobs(table, 'sort-texts')).length === 0;
    await vi.waitUntil(isSorted, { timeout: 120_000, interval: 500 });
    const ids = [acme.id, ...acme.users.flatMap(({ id, email_address }) => [id, email_address])];
    const isOf = (text: string, some: string[]) => some.some((id) => text.includes(id));
    const before = await scan(table);
    const ofGlobex = [globex.id, ...globex.users.map(({ id }) => id)];
    const theirs = before.filter((item) => isOf(JSON.stringify(item), ofGlobex));
    expect(theirs.length).toBeGreaterThan(500);
    expect(theirs.filter((item) => isOf(JSON.stringify(item), ids))).toEqual([]);

    setServices({ ...services, clock: () => new Date(eraseDate()) });
    const ctx = { ...services, now: new Date(eraseDate()), ports: {} };
    await beginErasing(ctx);
    expect((await deliverMessages(erase, [{ job_id: ERASING }], 600_000)).failed).toEqual([]);
    setServices(services);

    const after = await scan(table);
    expect(after.filter((item) => isOf(JSON.stringify(item), ids))).toEqual([]);
    const left = after.filter((item) => isOf(JSON.stringify(item), ofGlobex));
    expect(left.sort(byKey)).toEqual(theirs.sort(byKey));
    expect([await objects(acme.id), await objects(globex.id)]).toEqual([[], files]);
    // What names no account, such as a comment's pointer, is of somebody who is there.
    const records = new Set(after.map(({ PK }) => PK));
    const hanging = after.filter(({ PK }) => /^(COMMENT|OWNER|MERGE|LOOKS|REMINDED|DUE)#/.test(PK));
    const dangling = hanging.filter((item) => {
      const { record_type, record_id } = item as Item & { record_type?: string; record_id?: string };
      // Users and mailboxes have no partition of their own, and say whose they are.
      if (record_id === undefined || record_type === 'users' || record_type === 'mailboxes') return false;
      return !records.has(keys.record(record_type as never, record_id).PK);
    });
    expect(dangling).toEqual([]);
    const kept = globex.users.map(({ id }) => keys.user(globex.id, id));
    expect(await table.getMany<User>(kept)).toHaveLength(kept.length);
  }, fresh);
});
