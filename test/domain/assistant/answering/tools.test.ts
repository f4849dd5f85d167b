import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ToolName } from '#shared/domain/assistant/answering/assistant.ts';
import type { ToolResults } from '#shared/domain/assistant/answering/tool-results.ts';
import type { ToolContext } from '#shared/domain/assistant/answering/tools/context.ts';
import type { ContactView, ThreadView } from '#shared/domain/assistant/answering/views.ts';
import { newId } from '#shared/ids.ts';
import { eml, givenMailbox, importMail } from '../../../support/mail.ts';
import { runTool, toolContext } from '../../../support/tool-context.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../../support/workspace.ts';

/** What the assistant finds, shows and may refer to, as the user who asked. */

let workspace: Workspace;
let context: ToolContext;
let ada: TestUser;
let grace: TestUser;
let contact: string;
/** A thread of Ada alone, and one with a second message in Grace’s mailbox. */
let own: string;
let both: string;

const contextOf = (user: TestUser) => toolContext(workspace, user);
function run<Name extends ToolName>(name: Name, input: object, from = context): Promise<ToolResults[Name]> {
  return runTool(from, name, input);
}
const threadCalled = async (user: TestUser, subject: string) => {
  const { records } = (await user.reader.listThreads({ query: { subject } })).body.collection;
  return records[0]?.id as string;
};

const html = ['Content-Type: text/html; charset=utf-8'];

beforeAll(async () => {
  workspace = await startWorkspace({ files: true });
  ({ ada, grace } = workspace);
  const draft = {
    name: 'Priya Raman',
    headline: 'Ferry planner',
    email_addresses: [{ email_address: 'priya@ferries.example' }],
  };
  contact = (await ada.api.createContact({ body: { contact: draft } })).body.contact.id;
  const [mine, hers] = [await givenMailbox(workspace, ada), await givenMailbox(workspace, grace)];
  await importMail(workspace, ada, mine, [
    eml({
      id: 'own@x',
      subject: 'Winter timetable',
      text: 'Can you call me on Thursday?\n\nOn Mon, 2 Nov 2026 at 09:00, Ada <ada@acme.example> wrote:\n> quoted words',
    }),
    eml({ id: 'both@x', subject: 'Harbour', to: 'ada@acme.example, grace@acme.example', text: 'For both.' }),
    eml({
      id: 'hidden@x',
      subject: 'Offer',
      headers: html,
      text:
        '<p>Our offer</p><div style="display:none">secret display</div><span style="font-size:0">tiny</span>' +
        '<p style="color:#ffffff">white words</p><p style="opacity:0">faint</p><i style="max-height:0;">flat</i>' +
        '<p>stands until\u200b Friday\u{e0049}\u{e0067}.</p>',
    }),
  ]);
  await importMail(workspace, grace, hers, [
    eml({ id: 'both@x', subject: 'Harbour', to: 'ada@acme.example, grace@acme.example', text: 'For both.' }),
    eml({
      id: 'hers@x',
      subject: 'Re: Harbour',
      to: 'grace@acme.example',
      in_reply_to: 'both@x',
      date: 'Mon, 02 Nov 2026 11:00:00 +0000',
      text: 'Only Grace knows.',
    }),
    eml({ id: 'graces@x', subject: 'Salary', to: 'grace@acme.example', text: 'Private to Grace.' }),
  ]);
  own = await threadCalled(ada, 'Winter');
  both = await threadCalled(ada, 'Harbour');
});
afterAll(() => workspace?.stop());
beforeEach(async () => {
  context = await contextOf(ada);
});

describe('read_record', () => {
  it('a thread: its messages without quotes, who is who, and its comments', async () => {
    const params = { record_type: 'threads' as const, record_id: own };
    const comment = { html_content: '<p>I will <b>call</b></p>' };
    await grace.api.createComment({ params, body: { comment } }).catch(() => undefined);
    await ada.api.createComment({ params, body: { comment } });
    const thread = (await run('read_record', { type: 'thread', id: own })) as ThreadView;
    expect(thread).toMatchObject({
      type: 'thread',
      subject: 'Winter timetable',
      unread: true,
      awaiting: true,
      messages: [
        {
          sent_at: '2026-11-02T10:00:00.000Z',
          from: { contact_id: contact, name: 'Priya Raman', email_address: 'priya@ferries.example' },
          own: false,
          text: 'Can you call me on Thursday?',
          shortened: false,
        },
      ],
      earlier: [],
      left_out: 0,
      comments: [{ author: 'Ada Lovelace', text: 'I will call' }],
    });
  });

  it('a contact: what is known, and the latest threads that the user sees', async () => {
    const seen = (await run('read_record', { type: 'contact', id: contact })) as ContactView;
    expect(seen).toMatchObject({ type: 'contact', name: 'Priya Raman', headline: 'Ferry planner' });
    expect(seen.threads.map(({ subject }) => subject).toSorted()).toEqual([
      'Harbour',
      'Offer',
      'Winter timetable',
    ]);
    const graces = (await run(
      'read_record',
      { type: 'contact', id: contact },
      await contextOf(grace),
    )) as ContactView;
    expect(graces.threads.map(({ subject }) => subject).toSorted()).toEqual(['Harbour', 'Salary']);
  });

  it('returns to each user only the messages that this user sees', async () => {
    const adas = (await run('read_record', { type: 'thread', id: both })) as ThreadView;
    expect(adas.messages.map(({ text }) => text)).toEqual(['For both.']);
    expect(JSON.stringify(adas)).not.toContain('Only Grace');
    const graces = (await run(
      'read_record',
      { type: 'thread', id: both },
      await contextOf(grace),
    )) as ThreadView;
    expect(graces.messages.map(({ text }) => text)).toEqual(['For both.', 'Only Grace knows.']);
  });

  it('leaves out text that a mail hides from its readers', async () => {
    const id = await threadCalled(ada, 'Offer');
    const { messages } = (await run('read_record', { type: 'thread', id })) as ThreadView;
    expect(messages[0]?.text.replace(/\s+/g, ' ')).toBe('Our offer stands until Friday.');
  });

  it.each([
    ['a hidden thread', () => threadCalled(grace, 'Salary')],
    ['one that does not exist', async () => newId(new Date())],
  ])('refuses %s alike', async (_, find) => {
    const id = await find();
    await expect(run('read_record', { type: 'thread', id })).rejects.toMatchObject({
      name: 'ToolRefused',
      message: 'There is no such record, or it is not visible to you.',
    });
  });

  it.each([
    [{}],
    [{ type: 'thread' }],
    [{ type: 'mailbox', id: '0198c0de-0000-7000-8000-000000000001' }],
    [{ type: 'thread', id: 'x' }],
  ])('refuses %j and says why', async (input) => {
    await expect(run('read_record', input)).rejects.toMatchObject({
      name: 'ToolRefused',
      message: expect.stringMatching(/^The input does not fit: (type|id)/),
    });
  });
});

describe('search_threads', () => {
  it('finds by words, contact and state, with how many there are', async () => {
    expect(await run('search_threads', { query: 'winter' })).toMatchObject({
      threads: [{ id: own, subject: 'Winter timetable' }],
      total: 1,
    });
    expect((await run('search_threads', { contact_id: contact, limit: 1 })).threads).toHaveLength(1);
    expect((await run('search_threads', { contact_id: contact, limit: 1 })).total).toBe(3);
    expect((await run('search_threads', { awaiting: true })).total).toBe(3);
  });

  it('finds nothing that only others see', async () => {
    expect(await run('search_threads', { query: 'salary' })).toEqual({ threads: [], total: 0 });
    expect((await run('search_threads', { query: 'salary' }, await contextOf(grace))).total).toBe(1);
    expect(await run('search_threads', { query: 'knows' })).toEqual({ threads: [], total: 0 });
  });
});

describe('the newest message of a thread', () => {
  it.each([
    ['a newsletter', { headers: ['List-Unsubscribe: <https://letter.example/leave>'] }, true],
    ['a machine', { from: 'Status <no-reply@status.example>' }, true],
    ['a person', {}, false],
  ])('of %s: whether an answer is expected, in lists and on the thread', async (who, draft, automatic) => {
    const mailbox = await givenMailbox(workspace, ada);
    const subject = `Written by ${who}`;
    await importMail(workspace, ada, mailbox, [eml({ id: `${who.replace(' ', '-')}@x`, subject, ...draft })]);
    const id = await threadCalled(ada, subject);
    const told = await contextOf(ada);
    const { threads } = await run('search_threads', { query: subject }, told);
    const read = await run('read_record', { type: 'thread', id }, told);
    for (const row of [threads[0], read]) expect(row).toMatchObject({ id, awaiting: true, automatic });
    expect((read as ThreadView).last_from).toEqual((read as ThreadView).messages[0]?.from);
  });
});

describe('search_contacts', () => {
  it.each(['Priya', 'raman pri', 'PRIYA@ferries.example', 'priya ferries'])('finds by %s', async (query) => {
    expect(await run('search_contacts', { query })).toEqual({
      contacts: [
        {
          id: contact,
          name: 'Priya Raman',
          headline: 'Ferry planner',
          email_addresses: ['priya@ferries.example'],
        },
      ],
      more: false,
    });
  });

  it('finds no private contact of another user', async () => {
    const draft = { name: 'Quinn Secret', visibility: 'private' as const };
    await grace.api.createContact({ body: { contact: draft } });
    expect((await run('search_contacts', { query: 'Quinn' })).contacts).toEqual([]);
    expect((await run('search_contacts', { query: 'Quinn' }, await contextOf(grace))).contacts).toHaveLength(
      1,
    );
    expect((await run('search_contacts', { query: '!?' })).contacts).toEqual([]);
  });
});

describe('show_cards', () => {
  it('shows records that a tool returned', async () => {
    await run('search_threads', { query: 'winter' });
    await run('show_cards', { card_type: 'Thread', ids: [own, own], title: 'Open' });
    const reply = context.draft.finish('Here', () => true);
    expect(reply.blocks).toEqual([
      { type: 'text', text: 'Here' },
      { type: 'cards', card_type: 'Thread', ids: [own], title: 'Open' },
    ]);
    expect(reply.refs).toEqual([{ type: 'thread', id: own }]);
  });

  it.each([
    ['nobody gave', () => own],
    ['another user sees', () => threadCalled(grace, 'Salary')],
  ])('refuses an id that %s', async (_, find) => {
    const ids = [await find()];
    await expect(run('show_cards', { card_type: 'Thread', ids })).rejects.toThrow('No tool gave a thread');
    expect(context.draft.isEmpty).toBe(true);
  });

  it.each([
    [{ card_type: 'Invoice', ids: [] }],
    [{ card_type: 'Thread', ids: [] }],
    [{ card_type: 'Thread', ids: 'all' }],
    [{ card_type: 'Thread', ids: Array.from({ length: 51 }, () => newId(new Date())) }],
  ])('refuses %j', async (input) => {
    await expect(run('show_cards', input)).rejects.toThrow('The input does not fit');
  });
});

describe('show_table', () => {
  const shown = async (columns: object[], cells: object) => {
    await run('show_table', { columns, rows: [{ cells }] });
    const block = context.draft.finish('', () => true).blocks[0];
    return block?.type === 'table' ? block.rows[0]?.cells : undefined;
  };

  it.each([
    ['money', 12.5, 12.5],
    ['money', '1,234.50', 1234.5],
    ['money', '€ 99', 99],
    ['money', 'EUR -3', -3],
    ['money', '1.234,50', '1.234,50'],
    ['money', 'about 5', 'about 5'],
    ['number', '12 %', 12],
    ['number', 'twelve', 'twelve'],
    ['number', '', ''],
    ['number', null, null],
    ['date', '2026-11-02', '2026-11-02'],
    ['text', 7, '7'],
    [undefined, 'x', 'x'],
  ])('a %s cell with %j becomes %j', async (kind, sent, cell) => {
    expect(await shown([{ key: 'a', label: 'A', ...(kind ? { kind } : {}) }], { a: sent })).toEqual({
      a: cell,
    });
  });

  it('leaves out cells of no column; missing ones are empty', async () => {
    expect(await shown([{ key: 'a', label: 'A' }], { b: 'x' })).toEqual({ a: null });
  });

  it.each([
    [{ columns: [], rows: [] }],
    [{ columns: [{ key: 'a', label: 'A', kind: 'html' }], rows: [] }],
    [{ columns: [{ key: 'a', label: 'A' }], rows: [{ cells: { a: { html: '<b>' } } }] }],
    [{ columns: [{ key: 'a', label: 'A' }], rows: Array.from({ length: 101 }, () => ({ cells: {} })) }],
    [
      {
        columns: [
          { key: 'a', label: 'A' },
          { key: 'a', label: 'B' },
        ],
        rows: [],
      },
    ],
    [
      {
        columns: [{ key: 'a', label: 'A' }],
        rows: [{ cells: {}, ref: { type: 'thread', id: newId(new Date()) } }],
      },
    ],
  ])('refuses %j', async (input) => {
    await expect(run('show_table', input)).rejects.toMatchObject({ name: 'ToolRefused' });
  });

  it('keeps the name of a record that others know by another', async () => {
    await run('read_record', { type: 'thread', id: own });
    await run('read_record', { type: 'contact', id: contact });
    const refs = [
      { type: 'thread', id: own },
      { type: 'contact', id: contact },
    ];
    await run('show_table', {
      columns: [{ key: 'a', label: 'A' }],
      rows: refs.map((ref) => ({ cells: {}, ref })),
    });
    const [block] = context.draft.finish('', () => true).blocks;
    const [thread, person] = block?.type === 'table' ? block.rows : [];
    expect(thread?.ref).toEqual({ ...refs[0], name: 'Winter timetable' });
    expect(person?.ref).toEqual(refs[1]);
  });

  it('refuses more rows than a reply can hold', async () => {
    const cells = { a: 'x'.repeat(500) };
    const input = {
      columns: [{ key: 'a', label: 'A' }],
      rows: Array.from({ length: 100 }, () => ({ cells })),
    };
    await run('show_table', input);
    await run('show_table', input);
    await expect(run('show_table', input)).rejects.toThrow('The reply has no room for more');
  });
});

describe('references in an answer', () => {
  it('become refs when a tool returned the record; the label stays in the text', () => {
    const known = '0198c0de-0000-7000-8000-00000000000a';
    const other = '0198c0de-0000-7000-8000-00000000000b';
    const answer = `See [Winter](thread:${known.toUpperCase()}) and [Salary](thread:${other}), [x](https://x.example).`;
    const reply = context.draft.finish(answer, ({ id }) => id === known);
    expect(reply.text).toBe('See Winter and Salary, [x](https://x.example).');
    expect(reply.refs).toEqual([{ type: 'thread', id: known }]);
  });

  it('keep HTML in an answer as text, and cut a very long answer', () => {
    expect(context.draft.finish('<script>alert(1)</script> a < b', () => true).text).toBe(
      '<script>alert(1)</script> a < b',
    );
    expect(context.draft.finish('😀'.repeat(500_000), () => true).text?.length).toBeLessThanOrEqual(20_000);
  });
});
