import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Mailbox } from '#shared/domain/mail/mailboxes/mailbox.ts';
import { keys } from '#shared/table/keys.ts';
import { reportMail } from '../../support/delivery-reports.ts';
import { messagesBySnippet, readDraft } from '../../support/drafts.ts';
import { longIt } from '../../support/long.ts';
import { eml, givenMailbox, importMail } from '../../support/mail.ts';
import { readMailbox } from '../../support/mail-sync.ts';
import { giveMailbox } from '../../support/mailbox-access.ts';
import { queueDraft, runSending, type SendingServers, startSending } from '../../support/sending-mail.ts';
import type { TestUser, Workspace } from '../../support/workspace.ts';

/** Mail that was sent and not delivered is marked, by reports that arrive in its mailbox. */

const NAME = 'ada@acme.example';
const PRIYA = 'priya@ferries.example';

describe('a sent mail that is not delivered', () => {
  let workspace: Workspace;
  let ada: TestUser;
  let grace: TestUser;
  let servers: SendingServers;
  let mailbox_id: string;
  beforeAll(async () => {
    ({ workspace, ada, servers, mailbox_id } = await startSending());
    ({ grace } = workspace);
    await workspace.table.update<Mailbox>(keys.mailbox(workspace.account_id, mailbox_id), {
      set: { email_address: NAME },
    });
    await giveMailbox(workspace, grace, mailbox_id, 'edit');
  });
  afterAll(async () => {
    await servers.stop();
    await workspace.stop();
  });

  let made = 0;
  /** Its id, Message-ID and text; its copy is not here yet. */
  const sent = async (draft: object = {}, user = ada) => {
    const body = `Mail ${++made}.`;
    const id = await queueDraft(user, { mailbox_id, subject: `Mail ${made}`, body, ...draft });
    await runSending(workspace);
    const { rfc_id, status } = await readDraft(user, id);
    expect(status).toBe('sent');
    return { id, body, rfc_id: rfc_id ?? '' };
  };
  const read = () => readMailbox(workspace, ada, mailbox_id);
  const fieldsOf = (address: string, action: string, code: string, more: string[] = []) => [
    ...[`Final-Recipient: rfc822; ${address}`, `Action: ${action}`, `Status: ${code}`, ...more],
  ];
  const deliver = (raw: Buffer) => servers.imap.users.get(NAME)?.add('INBOX', raw);
  /** A report that arrives, and is read. */
  const reported = async (rfc_id: string, ...recipients: string[][]) => {
    deliver(reportMail(rfc_id, recipients));
    await read();
  };
  const deliveryOf = async ({ body }: { body: string }, user = ada) =>
    (await messagesBySnippet(user)).get(body)?.delivery;
  const failed = { email_address: PRIYA, status: 'failed', code: '5.1.1', diagnostic: null };
  const delayed = { ...failed, status: 'delayed', code: '4.4.1' };

  longIt('says so on the message, for all who see it, and on the draft', async () => {
    const mail = await sent();
    await read();
    expect(await deliveryOf(mail)).toBeNull();
    expect((await readDraft(ada, mail.id)).delivery).toBeNull();
    const words = 'Diagnostic-Code: smtp; 550 5.1.1 <b>Unknown</b>';
    await reported(mail.rfc_id, fieldsOf('Priya@Ferries.example', 'failed', '5.1.1', [words]));
    const delivery = {
      status: 'failed',
      recipients: [{ ...failed, diagnostic: '550 5.1.1 <b>Unknown</b>' }],
    };
    expect(await deliveryOf(mail)).toEqual(delivery);
    expect(await deliveryOf(mail, grace)).toEqual(delivery);
    expect((await readDraft(ada, mail.id)).delivery).toEqual(delivery);
  });

  longIt('is marked whichever comes first, the report or the copy', async () => {
    const mail = await sent();
    const user = servers.imap.users.get(NAME);
    const copies = user?.folder('Sent').messages.splice(0) ?? [];
    await reported(mail.rfc_id, fieldsOf(PRIYA, 'failed', '5.1.1'));
    expect(await deliveryOf(mail)).toBeUndefined();
    expect((await readDraft(ada, mail.id)).delivery).toEqual({ status: 'failed', recipients: [failed] });
    for (const { raw } of copies) user?.add('Sent', raw);
    await read();
    expect(await deliveryOf(mail)).toEqual({ status: 'failed', recipients: [failed] });
  });

  longIt.each([
    ['delayed', [['delayed', '4.4.1']], delayed],
    [
      'delayed, then failed',
      [
        ['delayed', '4.4.1'],
        ['failed', '5.1.1'],
      ],
      failed,
    ],
    [
      'failed, then delayed',
      [
        ['failed', '5.1.1'],
        ['delayed', '4.4.1'],
      ],
      failed,
    ],
    [
      'failed twice',
      [
        ['failed', '5.1.1'],
        ['failed', '5.7.1'],
      ],
      failed,
    ],
    [
      'failed, then delivered',
      [
        ['failed', '5.1.1'],
        ['delivered', '2.0.0'],
      ],
      failed,
    ],
  ])('%s: what failed does not come any more', async (_, reports, recipient) => {
    const mail = await sent();
    for (const [action = '', code = ''] of reports)
      deliver(reportMail(mail.rfc_id, [fieldsOf(PRIYA, action, code)]));
    // Reports of one reading have no order.
    await read();
    const delivery = (await readDraft(ada, mail.id)).delivery;
    expect(delivery?.recipients.map(({ status }) => status)).toEqual([recipient.status]);
    expect(await deliveryOf(mail)).toEqual(delivery);
  });

  longIt('names hidden recipients to its sender alone', async () => {
    const hidden = 'hidden@x.example';
    const mail = await sent({ cc_email_addresses: ['cy@x.example'], bcc_email_addresses: [hidden] });
    await reported(mail.rfc_id, fieldsOf(hidden, 'failed', '5.1.1'));
    expect(await deliveryOf(mail)).toBeNull();
    await reported(mail.rfc_id, fieldsOf('cy@x.example', 'delayed', '4.4.1'));
    expect((await deliveryOf(mail))?.recipients.map((each) => each.email_address)).toEqual(['cy@x.example']);
    const own = (await readDraft(ada, mail.id)).delivery;
    expect(own?.status).toBe('failed');
    expect(own?.recipients.map((each) => each.email_address).sort()).toEqual(['cy@x.example', hidden]);
  });

  it('is known by the address that was written, and by the domain as servers write it', async () => {
    const mail = await sent({ to_email_addresses: ['desk@x.example', 'bo@münchen.example'] });
    await reported(
      mail.rfc_id,
      [
        'Original-Recipient: rfc822; desk@x.example',
        ...fieldsOf('desk@elsewhere.example', 'failed', '5.1.1'),
      ],
      fieldsOf('bo@xn--mnchen-3ya.example', 'failed', '5.1.1'),
    );
    const { recipients = [] } = (await readDraft(ada, mail.id)).delivery ?? {};
    expect(recipients.map((each) => each.email_address)).toEqual(['desk@x.example', 'bo@münchen.example']);
  });

  longIt('of a colleague who sends from the mailbox is marked for both', async () => {
    const mail = await sent({}, grace);
    await reported(mail.rfc_id, fieldsOf(PRIYA, 'failed', '5.1.1'));
    expect((await readDraft(grace, mail.id)).delivery?.status).toBe('failed');
    expect((await deliveryOf(mail))?.status).toBe('failed');
  });

  longIt.each([
    [
      'of somebody who got nothing',
      (id: string) => reportMail(id, [fieldsOf('eve@x.example', 'failed', '5.1.1')]),
    ],
    ['of another mail', () => reportMail('other@acme.example', [fieldsOf(PRIYA, 'failed', '5.1.1')])],
    [
      'of the same draft under another domain',
      (id: string) => reportMail(`${id.split('@')[0]}@x.example`, [fieldsOf(PRIYA, 'failed', '5.1.1')]),
    ],
    [
      'of a mail that is quoted in another part',
      (id: string) => eml({ id: 'fake@x', text: `Action: failed\r\nMessage-ID: <${id}>` }),
    ],
  ])('is not marked by a report %s', async (_, raw) => {
    const mail = await sent();
    deliver(raw(mail.rfc_id));
    await read();
    expect(await deliveryOf(mail)).toBeNull();
    expect((await readDraft(ada, mail.id)).delivery).toBeNull();
  });

  longIt('is not marked by a report in another mailbox, nor in another account', async () => {
    const mail = await sent();
    await read();
    const report = () => reportMail(mail.rfc_id, [fieldsOf(PRIYA, 'failed', '5.1.1')]);
    for (const user of [ada, workspace.hank]) {
      const other = await givenMailbox(workspace, user, user.user.account_id);
      await importMail(workspace, user, other, [report()]);
    }
    expect(await deliveryOf(mail)).toBeNull();
    expect((await readDraft(ada, mail.id)).delivery).toBeNull();
  });

  longIt('lends its mark to no mail of somebody else with its Message-ID', async () => {
    const mail = await sent();
    deliver(eml({ id: mail.rfc_id, from: 'Eve <eve@x.example>', text: `I am ${mail.body}` }));
    await reported(mail.rfc_id, fieldsOf(PRIYA, 'failed', '5.1.1'));
    expect((await deliveryOf(mail))?.status).toBe('failed');
    expect(await deliveryOf({ body: `I am ${mail.body}` })).toBeNull();
  });

  longIt('has room for many reports of many recipients', async () => {
    const many = Array.from({ length: 400 }, (_, i) => `somebody-${i}@a-rather-long-domain.example`);
    const mail = await sent({ to_email_addresses: many });
    const words = [`Diagnostic-Code: smtp; ${'x'.repeat(60)}`];
    await reported(mail.rfc_id, ...many.map((address) => fieldsOf(address, 'failed', '5.1.1', words)));
    const { recipients = [] } = (await readDraft(ada, mail.id)).delivery ?? {};
    expect(recipients.length).toBeGreaterThan(50);
    expect(JSON.stringify(recipients).length).toBeLessThan(13_000);
    expect(await deliveryOf(mail)).toEqual({ status: 'failed', recipients });
  });
});
