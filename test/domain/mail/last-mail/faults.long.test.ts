import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { heldAddresses } from '#shared/domain/crm/contacts/addresses.ts';
import { listAddresses, raiseLastMail } from '#shared/domain/mail/last-mail/raise.ts';
import { type LastMailPosting, momentIn, readLastMail } from '#shared/domain/mail/last-mail/stored.ts';
import { keys, LAST_MAIL } from '#shared/table/keys.ts';
import { Dice } from '../../../support/dice.ts';
import { runIndexings } from '../../../support/duplicates.ts';
import { crashAfter, type Fault, failCall } from '../../../support/faults.ts';
import { Interleaving } from '../../../support/interleaving.ts';
import { rounds, STRIDE } from '../../../support/long.ts';
import { eml, givenMailbox, importMail } from '../../../support/mail.ts';
import { givenContact } from '../../../support/proposals.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../../support/workspace.ts';

/** The last mail with each address, and its lists, when calls fail and when several write at once. */
describe('the last mail with an address', () => {
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
  const at = (i: number) => Date.UTC(2026, 9, 1 + i);

  /** The addresses in the list of a mailbox, without those that are stale. */
  async function listed(mailbox: string): Promise<[string, number][]> {
    const { table } = workspace;
    const postings = await table.all<LastMailPosting>(keys.posting(mailbox, LAST_MAIL, '').PK);
    const addresses = postings.map(({ email_address }) => email_address);
    const known = await readLastMail(table, workspace.account_id, addresses);
    return [...known.values()]
      .flatMap((item): [string, number][] => {
        const moment = momentIn(item, mailbox) as number;
        const { SK: place } = keys.lastMailPosting(mailbox, moment, item.email_address);
        const here = postings.some(({ SK }) => SK === place);
        return here ? [[item.email_address, moment]] : [];
      })
      .sort(([a], [b]) => (a < b ? -1 : 1));
  }
  it('is complete when an import that failed at any call is done again', async () => {
    const mailbox = await givenMailbox(workspace, ada);
    const host = 'raise.example';
    for (const name of ['a', 'b'])
      await givenContact(ada, { name, email_addresses: [{ email_address: `${name}@${host}` }] });
    let reached = true;
    for (let call = 1, i = 0; reached; call += STRIDE, i++) {
      const fault = faultsAt(call)[i % 3] as () => Fault;
      const mail = ['a', 'b', 'c'].map((name) =>
        eml({
          ...{ id: `${call}-${name}@x`, from: `${name}@${host}` },
          date: new Date(at(i)).toUTCString().replace('GMT', '+0000'),
        }),
      );
      const injected = fault();
      await importMail(workspace, ada, mailbox, mail).catch(() => undefined);
      reached = injected.hit;
      injected.remove();
      await importMail(workspace, ada, mailbox, mail);
      expect(await listed(mailbox)).toEqual([
        [`a@${host}`, at(i)],
        [`b@${host}`, at(i)],
      ]);
    }
  });

  it('is listed for a contact whose creation failed at any call after it was written', async () => {
    const mailbox = await givenMailbox(workspace, ada);
    const host = 'late.example';
    let reached = true;
    for (let call = 1, i = 0; reached; call += STRIDE, i++) {
      const email_address = `${call}@${host}`;
      const date = new Date(at(i)).toUTCString().replace('GMT', '+0000');
      await importMail(workspace, ada, mailbox, [eml({ id: `${call}@${host}`, from: email_address, date })]);
      const injected = (faultsAt(call)[i % 3] as () => Fault)();
      const contact = { name: `Late ${call}`, email_addresses: [{ email_address }] };
      await ada.api.createContact({ body: { contact } }).catch(() => undefined);
      reached = injected.hit;
      injected.remove();
      await runIndexings(workspace);
      const held = await heldAddresses(workspace.table, workspace.account_id, [email_address]);
      const found = (await listed(mailbox)).map(([address]) => address);
      expect(found.includes(email_address), String(call)).toBe(held.size > 0);
    }
  });

  it('is listed by a repetition, for a contact that got the address before the moment was raised', async () => {
    const { table, account_id } = workspace;
    const mailbox_id = await givenMailbox(workspace, ada);
    const address = 'between@order.example';
    let asked = 0;
    const raiseTo = (moment: number, heldAmong: () => Promise<Set<string>>) =>
      raiseLastMail(table, { account_id, mailbox_id, heldAmong }, new Map([[address, moment]]));
    await raiseTo(3, async () => new Set());
    const interrupted = raiseTo(7, async () => {
      if (asked++ > 0) throw new Error('The worker died');
      await listAddresses(table, account_id, [address]);
      return new Set();
    });
    await expect(interrupted).rejects.toThrow('died');
    expect(await listed(mailbox_id)).toEqual([]);
    await raiseTo(7, async () => new Set([address]));
    expect(await listed(mailbox_id)).toEqual([[address, 7]]);
  });

  it('is the newest and listed, in any order of mail and of a contact that gets the address, with workers that die', async () => {
    const { table, account_id } = workspace;
    for (let round = 0; round < rounds(25, 150); round++) {
      const dice = new Dice(round);
      const mailbox_id = await givenMailbox(workspace, ada);
      const address = `${round}@order.example`;
      let held = false;
      const receiving = {
        ...{ account_id, mailbox_id },
        // As a read of the table: it waits for its turn.
        heldAmong: async (addresses: string[]) => {
          await table.get({ PK: 'NOTHING', SK: String(round) });
          return new Set(held ? addresses : []);
        },
      };
      const raises = [3, 7, 5].map(
        (moment) => () => raiseLastMail(table, receiving, new Map([[address, moment]])),
      );
      const take = async () => {
        await table.get({ PK: 'NOTHING', SK: `${round} held` });
        held = true;
        await listAddresses(table, account_id, [address]);
      };
      const workers = new Interleaving();
      const stop = workers.watch(table);
      const started = [...raises, take].map((work) => ({ work, worker: workers.start(work) }));
      await workers.quiet();
      while (workers.waiting.length > 0)
        await workers.decide(dice.pick(workers.waiting), dice.chance(10) ? 'dies' : 'done');
      stop();
      // Their jobs are not complete.
      for (const { work, worker } of started) if (worker.state === 'dead') await work();
      expect(await listed(mailbox_id), `round ${round}`).toEqual([[address, 7]]);
    }
  });
});
