import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { readDraft } from '../../../support/drafts.ts';
import { longIt } from '../../../support/long.ts';
import { givenSender, queueDraft, runSending, SendingServers } from '../../../support/sending-mail.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../../support/workspace.ts';

/** Servers that want to be left alone: RFC 5321, 3.8 (421); RFC 3463, 3.8 (4.7.x). */
describe('a server that takes no more mail of a mailbox', () => {
  let workspace: Workspace;
  let ada: TestUser;
  let servers: SendingServers;
  let mailbox_id: string;
  const start = Date.now();

  beforeAll(async () => {
    workspace = await startWorkspace({ files: true });
    ({ ada } = workspace);
  });
  afterAll(() => workspace.stop());
  beforeEach(async () => {
    servers = await new SendingServers().start();
    mailbox_id = await givenSender(workspace, ada, servers);
    atMinute(0);
  });
  afterEach(async () => {
    workspace.setTime(undefined);
    await servers.stop();
  });

  const atMinute = (minutes: number) => workspace.setTime(new Date(start + minutes * 60_000));
  const queue = () => queueDraft(ada, { mailbox_id, subject: 'Winter' });
  const status = async (id: string) => (await readDraft(ada, id)).status;
  const lastError = async () =>
    (await ada.reader.retrieveMailbox({ params: { id: mailbox_id } })).body.mailbox.sync.last_error?.code;

  longIt.each([
    ['421', { reply: 421, text: 'Goodbye' }],
    ['4.7.x', { reply: 451, text: '4.7.0 Too many messages' }],
    ['4.7.x of a recipient', { refuse: 450, text: '4.7.1 Too many', address: 'priya@ferries.example' }],
  ])('is not asked for its other drafts until it has rested, after %s', async (_, turn) => {
    servers.turns.push(turn);
    const first = await queue();
    expect(await runSending(workspace)).toBe(1);
    expect(await readDraft(ada, first)).toMatchObject({
      status: 'sending',
      last_error: { code: 'provider_rate_limited' },
    });
    const [cancelled, waiting] = [await queue(), await queue()];
    expect(await runSending(workspace)).toBe(0);
    expect(servers.begun).toBe(1);
    expect(await lastError()).toBe('provider_rate_limited');
    expect(await readDraft(ada, waiting)).toMatchObject({ status: 'queued', attempts: 0 });
    await ada.api.cancelDraft({ params: { draft_id: cancelled } });
    atMinute(4);
    await runSending(workspace);
    expect(servers.begun).toBe(1);
    atMinute(6);
    expect(await runSending(workspace)).toBe(0);
    expect([await status(first), await status(waiting), await status(cancelled)]).toEqual([
      ...['sent', 'sent', 'draft'],
    ]);
    expect([servers.taken.length, await lastError()]).toEqual([2, undefined]);
  });

  longIt('is asked half as often with each attempt of a draft, which fails after five', async () => {
    for (let i = 0; i < 9; i++) servers.turns.push({ reply: 421, text: '4.7.0 Slow down' });
    const id = await queue();
    const asked: number[] = [];
    for (let minutes = 0; (await status(id)) !== 'failed'; minutes++) {
      atMinute(minutes);
      await runSending(workspace);
      if (servers.begun > asked.length) asked.push(minutes);
    }
    expect(asked).toEqual([0, 5, 15, 35, 75]);
    expect(await readDraft(ada, id)).toMatchObject({
      attempts: 5,
      last_error: { code: 'provider_rate_limited' },
    });
    expect(servers.taken).toEqual([]);
  });

  it('rests for one mailbox alone', async () => {
    servers.turns.push({ reply: 421 });
    const throttled = await queue();
    await runSending(workspace);
    mailbox_id = await givenSender(workspace, ada, servers);
    const other = await queue();
    expect(await runSending(workspace)).toBe(0);
    expect([await status(throttled), await status(other)]).toEqual(['sending', 'sent']);
  });

  longIt('is asked at once when somebody gives other credentials', async () => {
    servers.turns.push({ reply: 421 });
    const id = await queue();
    await runSending(workspace);
    const smtp = { host: '127.0.0.1', port: servers.smtp_port, tls: false, username: 'ada@acme.example' };
    await ada.session.updateMailboxCredentials({
      params: { id: mailbox_id },
      body: { mailbox: { smtp: { ...smtp, password: 'right password' } } },
    });
    expect(await runSending(workspace)).toBe(0);
    expect([await status(id), await lastError()]).toEqual(['sent', undefined]);
  });
});
