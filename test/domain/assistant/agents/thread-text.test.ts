import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { threadText } from '#shared/domain/assistant/agents/thread-text.ts';
import { messagesOf } from '#shared/domain/mail/threads/messages.ts';
import type { Thread } from '#shared/domain/mail/threads/thread.ts';
import { keys } from '#shared/table/keys.ts';
import { eml, givenMailbox, importMail, listAllThreads } from '../../../support/mail.ts';
import { startWorkspace, type Workspace } from '../../../support/workspace.ts';

/** The text of a thread that an agent reads. */
describe('the text of a thread', () => {
  let workspace: Workspace;
  let thread: Thread;
  beforeAll(async () => {
    workspace = await startWorkspace({ files: true });
    const { ada } = workspace;
    const mailbox = await givenMailbox(workspace, ada);
    const letters = Array.from({ length: 20 }, (_, i) =>
      eml({
        id: `${i}@x`,
        subject: i === 0 ? 'Winch' : 'Re: Winch',
        ...(i === 0 ? {} : { in_reply_to: '0@x' }),
        date: new Date(Date.UTC(2026, 10, 2, 10, i)).toUTCString().replace('GMT', '+0000'),
        text: `Message ${i}`,
      }),
    );
    await importMail(workspace, ada, mailbox, letters);
    const [found] = await listAllThreads(ada.reader);
    thread = (await workspace.table.get<Thread>(keys.record('threads', found?.id ?? ''))) as Thread;
  });
  afterAll(() => workspace?.stop());

  const read = async (count: number) => {
    const messages = (await messagesOf(workspace.table, thread.id)).slice(0, count);
    return threadText(workspace.ctx, thread, messages);
  };
  const numbered = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, i) => `Message ${from + i}`);

  it.each([
    [1, numbered(0, 1)],
    [16, numbered(0, 16)],
    [17, ['Message 0', ...numbered(2, 17)]],
    [20, ['Message 0', ...numbered(5, 20)]],
  ])('of %i messages is that of the first and the newest fifteen', async (count, texts) => {
    const { subject, messages } = await read(count);
    expect(subject).toBe('Winch');
    expect(messages.map(({ text }) => text)).toEqual(texts);
  });

  it('of no messages is empty', async () => {
    expect(await read(0)).toEqual({ subject: null, messages: [] });
  });
});
