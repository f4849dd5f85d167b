import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Mailbox } from '#shared/domain/mail/mailboxes/mailbox.ts';
import { keys } from '#shared/table/keys.ts';
import { givenAccount } from '../../support/accounts.ts';
import { codeOf } from '../../support/failures.ts';
import { givenMailImport } from '../../support/first-steps.ts';
import { longIt } from '../../support/long.ts';
import { eml, givenMailbox, importMail } from '../../support/mail.ts';
import { countRequestTrips } from '../../support/round-trips.ts';
import { givenRequest, signUp } from '../../support/sign-up.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../support/workspace.ts';

describe('GET /accounts/{id}/initialize', () => {
  let workspace: Workspace;
  beforeAll(async () => {
    workspace = await startWorkspace({ files: true });
  });
  afterAll(() => workspace.stop());

  const stepsOf = async ({ session, user: { account_id: id } }: TestUser) =>
    (await session.checkInitialization({ params: { id } })).body.initialization;
  const newUsers = (count = 1) => givenAccount(workspace, count);
  const nothing = { mailbox_connected: false, threads_imported: 0, contacts_created: 0 };

  it('200: pending and not connected, with an empty mailbox, without one and right after signing up', async () => {
    const [ada] = (await newUsers()) as [TestUser];
    expect(await stepsOf(ada)).toEqual({ status: 'pending', percent: 0, ...nothing });
    await givenMailbox(workspace, ada, ada.user.account_id);
    expect(await stepsOf(ada)).toEqual({ status: 'pending', percent: 0, ...nothing });
    const { account, session } = (await signUp(workspace, await givenRequest(workspace))).body;
    const api = workspace.client(session.access_token as string);
    const { initialization } = (await api.checkInitialization({ params: { id: account.id } })).body;
    expect(initialization).toEqual({ status: 'pending', percent: 0, ...nothing });
  });

  it.each([
    ['waits', [{}], 'importing', 0],
    ['is not counted yet', [{ status: 'importing' }], 'importing', 0],
    [
      'runs',
      [
        {
          status: 'importing',
          messages_total: 8,
          messages_imported: 3,
          messages_skipped: 1,
          messages_failed: 1,
        },
      ],
      'importing',
      62,
    ],
    ['has read all', [{ status: 'importing', messages_total: 4, messages_imported: 4 }], 'importing', 99],
    ['is complete', [{ status: 'complete', messages_total: 4, messages_imported: 4 }], 'complete', 100],
    ['has failed', [{ status: 'failed' }], 'pending', 0],
    ['failed, and another one is complete', [{ status: 'failed' }, { status: 'complete' }], 'complete', 100],
    [
      'is complete, and another one runs',
      [{ status: 'complete' }, { status: 'importing', messages_total: 2, messages_imported: 1 }],
      'importing',
      50,
    ],
  ] as const)('200: an import that %s', async (_, imports, status, percent) => {
    const [ada] = (await newUsers()) as [TestUser];
    for (const state of imports) {
      const mailbox_id = await givenMailbox(workspace, ada, ada.user.account_id);
      await givenMailImport(workspace, ada, mailbox_id, state);
    }
    expect(await stepsOf(ada)).toEqual({ ...nothing, mailbox_connected: true, status, percent });
  });

  it.each([
    ['is connected', 'connecting', 0, 'importing', 0],
    ['is read', 'importing', 40, 'importing', 40],
    ['was read', 'active', 100, 'complete', 100],
    ['was locked before', 'locked', 40, 'pending', 0],
  ] as const)('200: a mailbox at a server that %s', async (_, state, backfill_percent, status, percent) => {
    const [ada] = (await newUsers()) as [TestUser];
    const { account_id } = ada.user;
    const id = await givenMailbox(workspace, ada, account_id);
    const server = { host: 'imap.example', port: 993, tls: true, username: 'ada', password: 'sealed' };
    await workspace.table.update<Mailbox>(keys.mailbox(account_id, id), {
      set: {
        status: state,
        mail_server: { imap: server, smtp: null, oauth: null },
        mail_state: {
          ...{ last_started_at: null, last_finished_at: null, next_at: null, last_error: null },
          ...{ failures: 0, refusals: 0, messages_pending: 0, backfill_percent },
        },
      },
    });
    expect(await stepsOf(ada)).toEqual({ ...nothing, mailbox_connected: true, status, percent });
  });

  longIt('200: counts threads and contacts of own mailboxes only, not of shared ones', async () => {
    const [ada, grace] = (await newUsers(2)) as [TestUser, TestUser];
    const { account_id } = ada.user;
    const mailbox_id = await givenMailbox(workspace, ada, account_id, 'all');
    const to = ada.user.email_address;
    await importMail(workspace, ada, mailbox_id, [
      eml({ id: 'one@first', from: 'priya@ferries.example', to, subject: 'One' }),
      eml({ id: 'two@first', from: 'moira@ferries.example', to, subject: 'Two' }),
      eml({
        id: 're@first',
        from: 'priya@ferries.example',
        to,
        subject: 'Re: One',
        in_reply_to: 'one@first',
      }),
    ]);
    await givenMailImport(workspace, ada, mailbox_id, { status: 'complete' });
    const share = { user_id: grace.user.id, access: 'view' as const };
    await ada.api.createShare({
      params: { record_type: 'mailboxes', record_id: mailbox_id },
      body: { share },
    });
    expect(await stepsOf(ada)).toEqual({
      ...{ status: 'complete', percent: 100, mailbox_connected: true },
      ...{ threads_imported: 2, contacts_created: 2 },
    });
    expect(await stepsOf(grace)).toEqual({ status: 'pending', percent: 0, ...nothing });
  });

  it('takes three round trips at most after authentication, for any number of mailboxes', async () => {
    const [ada] = (await newUsers()) as [TestUser];
    for (let i = 0; i < 3; i++) {
      const mailbox_id = await givenMailbox(workspace, ada, ada.user.account_id);
      await givenMailImport(workspace, ada, mailbox_id, { status: 'complete' });
    }
    const one = await countRequestTrips(workspace, ada, () => ada.session.retrieveCurrentUser());
    const { depth } = await countRequestTrips(workspace, ada, () => stepsOf(ada));
    expect(depth - one.depth).toBeLessThanOrEqual(3);
  });

  it('404: another account', async () => {
    const { session, user } = workspace.ada;
    const id = workspace.hank.user.account_id;
    expect(await codeOf(session.checkInitialization({ params: { id } }))).toBe('404 record_not_found');
    expect(user.account_id).not.toBe(id);
  });
});
