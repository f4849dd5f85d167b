import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ToolContext } from '#shared/domain/assistant/answering/tools/context.ts';
import type { ThreadView } from '#shared/domain/assistant/answering/views.ts';
import { newContact } from '#shared/domain/crm/contacts/create.ts';
import { contactIndex } from '#shared/domain/crm/contacts/lists.ts';
import type { Mailbox } from '#shared/domain/mail/mailboxes/mailbox.ts';
import { keys } from '#shared/table/keys.ts';
import { givenAccount } from '../../../support/accounts.ts';
import { ask } from '../../../support/assistant.ts';
import { givenComment, givenReply } from '../../../support/comments.ts';
import { allowAllQuestions } from '../../../support/conversations.ts';
import { listedItems } from '../../../support/listed.ts';
import { long, longIt } from '../../../support/long.ts';
import { eml, givenMailbox, importMail, listAllThreads } from '../../../support/mail.ts';
import { giveMailbox } from '../../../support/mailbox-access.ts';
import { givenContact } from '../../../support/proposals.ts';
import { givenThread } from '../../../support/threads.ts';
import { runTool, toolContext } from '../../../support/tool-context.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../../support/workspace.ts';
import { png } from '../../mail/mime/fixtures/images.ts';

/** How much the assistant is told, and about whom. */

let workspace: Workspace;
let ada: TestUser;
let grace: TestUser;
let context: ToolContext;
beforeAll(async () => {
  workspace = await startWorkspace({ files: true });
  ({ ada, grace } = workspace);
  allowAllQuestions(workspace);
});
afterAll(() => workspace?.stop());
beforeEach(async () => {
  context = await toolContext(workspace, ada);
});

/** With the current access of the user. */
async function readThread(id: string, user = ada, asked: Partial<ToolContext> = {}): Promise<ThreadView> {
  const from = { ...(await toolContext(workspace, user)), ...asked };
  return (await runTool(from, 'read_record', { type: 'thread', id })) as ThreadView;
}
const textsOf = ({ comments }: ThreadView) => comments.map(({ text }) => text);

describe('the messages of a thread', () => {
  /** Of a colleague’s mailbox to which Ada has access. */
  async function givenShared(letter: Parameters<typeof eml>[0]): Promise<string> {
    const mailbox = await givenMailbox(workspace, grace);
    await workspace.table.update<Mailbox>(keys.mailbox(workspace.account_id, mailbox), {
      set: { aliases: ['office@acme.example'] },
    });
    await giveMailbox(workspace, ada, mailbox);
    await importMail(workspace, grace, mailbox, [eml(letter)]);
    return (await listAllThreads(grace.reader, { mailbox_id: mailbox }))[0]?.id as string;
  }

  it('are the user’s own when they came from a mailbox that the user owns, not from one that is shared', async () => {
    const letter = { id: 'office@x', from: 'office@acme.example', to: 'priya@ferries.example' };
    const id = await givenShared(letter);
    const [adas, graces] = [await readThread(id), await readThread(id, grace)];
    expect(adas.messages.map(({ own }) => own)).toEqual([false]);
    expect(adas.awaiting).toBe(true);
    expect(graces.messages.map(({ own }) => own)).toEqual([true]);
    expect(graces.awaiting).toBe(false);
  });

  longIt(
    'have the files that a person would look for: no inline images, tracking pixels or logos',
    async () => {
      const part = (headers: string[], bytes: Buffer) =>
        ['--part', ...headers, 'Content-Transfer-Encoding: base64', '', bytes.toString('base64')].join(
          '\r\n',
        );
      const id = await givenShared({
        id: 'files@x',
        headers: ['MIME-Version: 1.0', 'Content-Type: multipart/mixed; boundary=part'],
        text: [
          '--part\r\nContent-Type: text/html\r\n\r\n<p>Plan: <img src="cid:plan@x" width="800" height="600"></p>',
          part(
            [
              'Content-Type: image/png',
              'Content-ID: <plan@x>',
              'Content-Disposition: inline; filename=plan.png',
            ],
            png(800, 600),
          ),
          part(['Content-Type: image/png', 'Content-Disposition: attachment; filename=pixel.png'], png(1, 1)),
          part(
            ['Content-Type: image/png', 'Content-Disposition: attachment; filename=photo.png'],
            png(800, 600),
          ),
          part(
            ['Content-Type: application/pdf', 'Content-Disposition: attachment; filename=a.pdf'],
            Buffer.from('a'),
          ),
          '--part--',
        ].join('\r\n'),
      });
      const { thread } = (await ada.reader.retrieveThread({ params: { id } })).body;
      const kinds = thread.messages?.[0]?.attachments?.map(({ file, inline, decorative }) => [
        file?.file_name,
        inline,
        decorative,
      ]);
      expect(kinds).toEqual([
        ['plan.png', true, false],
        ['pixel.png', false, true],
        ['photo.png', false, false],
        ['a.pdf', false, false],
      ]);
      expect((await readThread(id)).messages[0]?.attachments).toEqual(['photo.png', 'a.pdf']);
    },
  );

  longIt(
    'are the newest eight in full, the beginnings of the thirty before them, and the number of the others',
    async () => {
      const mailbox = await givenMailbox(workspace, ada);
      const letters = Array.from({ length: 40 }, (_, i) =>
        eml({
          id: `long-${i}@x`,
          ...(i === 0 ? {} : { in_reply_to: 'long-0@x' }),
          date: new Date(Date.UTC(2026, 10, 2, 10, i)).toUTCString().replace('GMT', '+0000'),
          text: `Message ${i}`,
        }),
      );
      await importMail(workspace, ada, mailbox, letters);
      const [thread] = await listAllThreads(ada.reader, { mailbox_id: mailbox });
      const { messages, earlier, left_out } = await readThread(thread?.id as string);
      expect(messages.map(({ text }) => text)).toEqual(
        Array.from({ length: 8 }, (_, i) => `Message ${32 + i}`),
      );
      expect(earlier.map(({ snippet }) => snippet)).toEqual(
        Array.from({ length: 30 }, (_, i) => `Message ${2 + i}`),
      );
      expect(left_out).toBe(2);
    },
  );

  longIt(
    'begin with more of the message that opened the thread, when it is not among the newest',
    async () => {
      const mailbox = await givenMailbox(workspace, ada);
      const text = 'Would forty do? '.repeat(100);
      const letters = Array.from({ length: 10 }, (_, i) =>
        eml({
          id: `opening-${i}@x`,
          subject: 'Forty of them',
          ...(i === 0 ? {} : { in_reply_to: 'opening-0@x' }),
          date: new Date(Date.UTC(2026, 10, 2, 10, i)).toUTCString().replace('GMT', '+0000'),
          text,
        }),
      );
      await importMail(workspace, ada, mailbox, letters);
      const [thread] = await listAllThreads(ada.reader, { mailbox_id: mailbox });
      const { earlier } = await readThread(thread?.id as string);
      expect(earlier.map(({ snippet }) => snippet)).toEqual([
        `${text.slice(0, 999).trimEnd()}…`,
        `${text.slice(0, 159).trimEnd()}…`,
      ]);
    },
  );
});

describe('the comments of a thread', () => {
  it('are the newest ten, the oldest of them first', async () => {
    const thread = await givenThread(workspace, { users: [ada] });
    for (let i = 0; i < 12; i++) await givenComment(ada, thread, { html_content: `<p>Comment ${i}</p>` });
    expect(textsOf(await readThread(thread.id))).toEqual(
      Array.from({ length: 10 }, (_, i) => `Comment ${2 + i}`),
    );
  });

  it('leave out the question itself, and pending and failed replies', async () => {
    const thread = await givenThread(workspace, { users: [ada] });
    await givenReply(workspace, ada, thread, { text: 'An answer' });
    await givenReply(workspace, ada, thread, { status: 'failed', text: 'The assistant is busy' });
    await givenReply(workspace, ada, thread, { status: 'pending', text: null });
    const question = await givenComment(ada, thread, { html_content: '<p>The question</p>' });
    const reply = await givenReply(workspace, ada, thread, {
      status: 'pending',
      text: null,
      parent_comment_id: question.id,
    });
    const told = await readThread(thread.id, ada, { source: { type: 'comment', id: reply.id } });
    expect(told.comments.map(({ author, text }) => [author, text])).toEqual([['Assistant', 'An answer']]);
  });
});

describe('propose_change', () => {
  it('proposes ten changes in a reply and refuses the 11th', async () => {
    const contact = await givenContact(ada);
    const propose = (headline: string) =>
      runTool(context, 'propose_change', {
        action_type: 'contact.update',
        params: { record_id: contact.id, headline },
      });
    for (let i = 0; i < 10; i++) await propose(`Headline ${i}`);
    const written = context.draft.change.writes.length;
    await expect(propose('Headline 10')).rejects.toThrow('The reply has no room for more');
    expect(context.draft.proposals).toBe(10);
    expect(context.draft.change.writes).toHaveLength(written);
    const { blocks } = context.draft.finish('Done', () => true);
    expect(blocks.filter(({ type }) => type === 'proposal')).toHaveLength(10);
  });
});

describe('search_contacts', () => {
  let reader: TestUser;
  /** Contacts of an account of their own, written straight into the table: `names` in the order of the list. */
  async function givenContacts(names: string[]): Promise<ToolContext> {
    [reader] = (await givenAccount(workspace, 1)) as [TestUser];
    const own = await toolContext(workspace, reader);
    const now = new Date();
    const contacts = names.map((name) => newContact(own.caller, { name } as never, now));
    const items = (
      await Promise.all(contacts.map((contact) => listedItems(workspace.table, contactIndex, contact)))
    ).flat();
    for (let i = 0; i < items.length; i += 1_000)
      await workspace.table.writeMany(items.slice(i, i + 1_000).map((put) => ({ put })));
    return own;
  }
  const numbered = (count: number, name: string) =>
    Array.from({ length: count }, (_, i) => `${name} ${String(i).padStart(5, '0')}`);

  it.each([
    [9, 9, false],
    [10, 10, false],
    [11, 10, true],
  ])('of %i matches returns %i, and says whether there are more: %s', async (matching, given, more) => {
    const own = await givenContacts([...numbered(matching, 'Moira'), ...numbered(3, 'Zed')]);
    const found = await runTool(own, 'search_contacts', { query: 'moira' });
    expect([found.contacts.length, found.more]).toEqual([given, more]);
  });

  if (long)
    it('finds any of 2,002 contacts, by the beginning of any word', async () => {
      const names = numbered(2_002, 'Anna').with(1_999, 'Anna 01999 Last').with(2_000, 'Anna 02000 Beyond');
      const own = await givenContacts(names);
      const find = (query: string) => runTool(own, 'search_contacts', { query });
      expect((await find('last')).contacts.map(({ name }) => name)).toEqual(['Anna 01999 Last']);
      const beyond = { contacts: [expect.objectContaining({ name: 'Anna 02000 Beyond' })], more: false };
      for (const query of ['beyond', 'b', 'be', 'ann bey', '02000'])
        expect(await find(query)).toEqual(beyond);
      expect(await find('beyonder')).toEqual({ contacts: [], more: false });
    });
});

it('a question in a comment counts as the question, not as a comment', async () => {
  const thread = await givenThread(workspace, { users: [ada] });
  const params = { record_type: 'threads' as const, record_id: thread.id };
  await ask(ada, params, 'What is this about?');
  expect(textsOf(await readThread(thread.id))).toEqual(['A question']);
});
