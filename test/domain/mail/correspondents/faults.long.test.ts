import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listsOfRecords } from '#shared/composition/record-lists.ts';
import { runIndexing } from '#shared/domain/collaboration/record-lists/keeper.ts';
import type { ContactCreation } from '#shared/domain/mail/mailboxes/mailbox.ts';
import { crashAfter, type Fault, failCall } from '../../../support/faults.ts';
import { openJobs } from '../../../support/jobs.ts';
import { sample } from '../../../support/long.ts';
import { eml, givenMailbox, importMail } from '../../../support/mail.ts';
import { measureTable } from '../../../support/meter.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../../support/workspace.ts';

/** Contacts of mail that is imported by a worker which fails at any call, and what they cost. */
describe('contacts from mail', () => {
  let workspace: Workspace;
  let ada: TestUser;
  beforeAll(async () => {
    workspace = await startWorkspace({ files: true, own_table: true });
    ({ ada } = workspace);
  });
  afterAll(() => workspace?.stop());

  const faultsAt = (call: number): (() => Fault)[] => [
    () => failCall(workspace.table, call, 'before'),
    () => failCall(workspace.table, call, 'after'),
    () => crashAfter(workspace.table, call),
  ];

  /** Mail that is stored already, into a mailbox that makes contacts now: what is left is to make them. */
  async function givenMail(
    host: string,
    to: string,
    contact_creation: ContactCreation = 'sent',
  ): Promise<() => Promise<unknown>> {
    const id = await givenMailbox(workspace, ada);
    const mail = [eml({ id: `${host}@x`, from: 'ada@acme.example', to })];
    await importMail(workspace, ada, id, mail);
    await ada.api.updateMailbox({ params: { id }, body: { mailbox: { contact_creation } } });
    return () => importMail(workspace, ada, id, mail);
  }

  /** What the sweep starts. */
  async function indexAll(): Promise<void> {
    for (const { id } of await openJobs(workspace.table, 'index-records'))
      await runIndexing(workspace.ctx, listsOfRecords, id, () => false);
  }

  it('are made once, whichever call fails', async () => {
    const calls = sample(Array.from({ length: 45 }, (_, i) => i + 1));
    for (const [n, call] of calls.entries())
      for (const [i, fault] of faultsAt(call).entries()) {
        // Each call fails in one way, the next in another.
        if (n % 3 !== i) continue;
        const host = `fault${call}-${i}.example`;
        const run = await givenMail(host, `A B <a@${host}>, C D <c@${host}>`);
        const injected = fault();
        await run().catch((error) => expect(String(error)).toContain('Injected fault'));
        injected.remove();
        await run();
        await indexAll();
        const { records } = (await ada.reader.listContacts({ query: { query: host } })).body.collection;
        expect(records.map(({ name, employments }) => [name, employments[0]?.organization?.domain])).toEqual([
          ['A B', host],
          ['C D', host],
        ]);
        const query = { query: host };
        expect((await ada.reader.listOrganizations({ query })).body.collection.records).toHaveLength(1);
        expect((await ada.reader.countOrganizations({ query: { domain: host } })).body.count.total).toBe(1);
      }
  });

  it('cost nothing for people who are known, and a few calls for each who is new', async () => {
    const people = (host: string) =>
      Array.from({ length: 20 }, (_, i) => `P Q${i} <p${i}@${host}>`).join(', ');
    const run = await givenMail('cost.example', people('cost.example'));
    const first = await measureTable(workspace.table, run);
    const again = await measureTable(workspace.table, run);
    const none = await givenMail('none.example', people('none.example'), 'none');
    const base = await measureTable(workspace.table, none);
    const each = (first.calls.length - base.calls.length) / 20;
    // Its acquaintance, two reads for the address, three for the employer, the transaction, and its job for the lists.
    expect(each).toBeLessThanOrEqual(12);
    expect(again.calls.length - base.calls.length).toBeLessThanOrEqual(5);
    expect(again.writes - base.writes).toBe(0);
    expect((first.writes - base.writes) / 20).toBeLessThanOrEqual(60);
  });
});
