import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { givenComment } from '../../../support/comments.ts';
import { draftsOf, messagesBySnippet, outbound, readDraft } from '../../../support/drafts.ts';
import { codeOf } from '../../../support/failures.ts';
import { longIt } from '../../../support/long.ts';
import { eml, givenMailbox, importMail } from '../../../support/mail.ts';
import { withFiles } from '../../../support/mail-files.ts';
import { giveMailbox } from '../../../support/mailbox-access.ts';
import { accept, givenProposal, readProposal, reject, undo } from '../../../support/proposals.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../../support/workspace.ts';

/** Drafts that are proposed, and never sent by whom proposes them. */

let workspace: Workspace;
let ada: TestUser;
let grace: TestUser;
let linus: TestUser;
let mailbox_id: string;
let message_id: string;
let thread_id: string;
let files_id: string;
beforeAll(async () => {
  workspace = await startWorkspace({ files: true });
  ({ ada, grace, linus } = workspace);
  mailbox_id = await givenMailbox(workspace, ada);
  await outbound(workspace.table, workspace.account_id, mailbox_id, { signature_html: '<p>Ada</p>' });
  await importMail(workspace, ada, mailbox_id, [
    eml({
      ...{ id: 'timetable@x', subject: 'Timetable', text: 'Which one?' },
      to: 'Ada <ada@acme.example>, bo@ferries.example',
      headers: ['Reply-To: desk@ferries.example', 'Content-Type: text/plain'],
    }),
    eml({
      ...{ id: 'parts@x', subject: 'Parts' },
      ...withFiles('<p>Parts</p>', [{ name: 'offer.pdf', type: 'application/pdf', content: '%PDF-1.4' }]),
    }),
  ]);
  await giveMailbox(workspace, grace, mailbox_id, 'edit');
  await giveMailbox(workspace, linus, mailbox_id, 'view');
  const messages = await messagesBySnippet(ada);
  const found = messages.get('Which one?');
  message_id = found?.id ?? '';
  thread_id = found?.thread_id ?? '';
  files_id = messages.get('Parts')?.id ?? '';
});
afterAll(() => workspace.stop());

const propose = (params: object, user = ada, rest: object = {}) =>
  givenProposal(workspace, user, { action_type: 'draft.create', params, ...rest });
const proposeReply = (more: object = {}, user = ada, rest: object = {}) =>
  propose({ in_reply_to_message_id: message_id, body: 'The second.', ...more }, user, rest);
const accepting = (proposal_id: string, user = ada, changes?: Record<string, unknown>) =>
  user.api.acceptProposal({ params: { proposal_id }, body: changes ? { changes } : {} });
const undoing = (proposal_id: string, user = ada) => user.api.undoProposal({ params: { proposal_id } });
const shown = ({ display }: { display: { changes: { field: string; after: string | null }[] } }) =>
  Object.fromEntries(display.changes.map(({ field, after }) => [field, after]));
const made = async (id: string, user = ada, changes?: Record<string, unknown>) =>
  readDraft(user, (await accept(user, id, changes)).applied_record_id as string);
/** A comment on the thread, which Ada, Grace and Linus see. */
const source = async () => ({
  source: { type: 'comment', id: (await givenComment(ada, { id: thread_id })).id },
});

describe('draft.create', () => {
  it('shows whom it answers and with which words; accepting makes the draft, and undoing deletes it', async () => {
    const proposal = await proposeReply();
    expect(proposal).toMatchObject({ status: 'pending', record_type: null, base_updated_at: null });
    expect(JSON.parse(proposal.params)).toEqual({
      ...{ in_reply_to_message_id: message_id, body: 'The second.', mailbox_id, kind: 'reply' },
    });
    expect(proposal.display.title).toBe('Draft a reply');
    expect(shown(proposal)).toEqual({
      from_email_address: expect.stringContaining('@'),
      to_email_addresses: 'desk@ferries.example',
      subject: 'Re: Timetable',
      body: 'The second.',
    });
    expect(await draftsOf(ada)).toEqual([]);
    const applied = await accept(ada, proposal.id);
    expect(applied).toMatchObject({ status: 'applied', applied_record_type: 'draft', actions: ['undo'] });
    const draft = await readDraft(ada, applied.applied_record_id as string);
    expect(draft).toMatchObject({
      ...{ status: 'draft', proposal_id: proposal.id, mailbox_id, thread_id, kind: 'reply' },
      ...{ to_email_addresses: ['desk@ferries.example'], subject: 'Re: Timetable', send_at: null },
      body: expect.stringMatching(/^The second\.[\s\S]*Ada[\s\S]*> Which one\?/),
    });
    expect((await undo(ada, proposal.id)).status).toBe('undone');
    expect(await draftsOf(ada)).toEqual([]);
  });

  it('is a new mail in the user’s own mailbox, an answer to all, or a forwarded message with its files', async () => {
    const fresh = await propose({ to_email_addresses: ['priya@ferries.example'], subject: 'Hello' });
    expect(fresh.display.title).toBe('Draft a mail');
    expect(await made(fresh.id)).toMatchObject({ kind: 'new', mailbox_id, subject: 'Hello' });
    const all = await proposeReply({ kind: 'reply_all' });
    expect(shown(all).to_email_addresses).toContain('bo@ferries.example');
    const forwarded = await propose({
      ...{ in_reply_to_message_id: files_id, kind: 'forward', to_email_addresses: ['cy@x.example'] },
    });
    expect(forwarded.display.title).toBe('Draft a forwarded mail');
    expect(shown(forwarded)).toMatchObject({ attachments: 'offer.pdf', subject: 'Fwd: Parts' });
    const draft = await made(forwarded.id);
    expect(draft).toMatchObject({ kind: 'forward', attachments: [{ file: { file_name: 'offer.pdf' } }] });
  });

  it('writes a new mail in a mailbox that sends, rather than one of archives', async () => {
    const archive = await givenMailbox(workspace, grace);
    expect(await made((await propose({ subject: 'X' }, grace)).id, grace)).toMatchObject({ mailbox_id });
    expect(archive).not.toBe(mailbox_id);
  });

  it('takes changes when it is accepted, but sends nothing', async () => {
    const { id } = await proposeReply();
    const draft = await made(id, ada, { body: 'The first.', cc_email_addresses: ['cy@x.example'] });
    expect(draft).toMatchObject({ status: 'draft', cc_email_addresses: ['cy@x.example'] });
    expect(draft.body).toMatch(/^The first\./);
    for (const changes of [
      { send_at: '2027-01-01T00:00:00.000Z' },
      { status: 'queued' },
      { rfc_id: 'x@x' },
    ]) {
      const { id: proposal_id } = await proposeReply();
      expect(await codeOf(accepting(proposal_id, ada, changes))).toBe('400 invalid_request');
      expect((await readProposal(ada, proposal_id)).status).toBe('pending');
    }
  });

  longIt('is accepted once, by many requests at once', async () => {
    const { id } = await proposeReply();
    const before = (await draftsOf(ada)).length;
    const answers = await Promise.allSettled(Array.from({ length: 8 }, () => accepting(id)));
    const codes = answers.map((each) => (each.status === 'fulfilled' ? 'accepted' : each.reason.code));
    expect(codes.sort()).toEqual(['accepted', ...Array(7).fill('proposal_already_answered')]);
    expect(await draftsOf(ada)).toHaveLength(before + 1);
  });

  it('makes no draft when it is declined', async () => {
    const { id } = await proposeReply();
    const before = await draftsOf(ada);
    expect((await reject(ada, id)).status).toBe('rejected');
    expect(await draftsOf(ada)).toEqual(before);
  });

  it.each([
    [
      'changed',
      (id: string) => ada.api.updateDraft({ params: { id }, body: { draft: { subject: 'Mine' } } }),
    ],
    ['queued', (draft_id: string) => ada.api.sendDraft({ params: { draft_id }, body: { undo_seconds: 30 } })],
    ['deleted', (id: string) => ada.api.deleteDraft({ params: { id } })],
  ])('is not undone once the draft is %s', async (_, act) => {
    const { id } = await proposeReply();
    const draft = await made(id);
    await act(draft.id);
    expect(await codeOf(undoing(id))).toBe('422 proposal_not_undoable');
  });

  it('is the draft of who accepts, with the rights of who accepts; nobody else undoes it', async () => {
    const { id } = await proposeReply({}, ada, await source());
    expect(await codeOf(accepting(id, linus))).toBe('403 permission_denied');
    const draft = await made(id, grace);
    expect(draft).toMatchObject({ user_id: grace.user.id, mailbox_id });
    expect(await codeOf(ada.reader.retrieveDraft({ params: { id: draft.id } }))).toBe('404 record_not_found');
    expect(await codeOf(undoing(id, ada))).toBe('422 proposal_not_undoable');
    expect((await undo(grace, id)).status).toBe('undone');
  });

  it('shows others the words of the assistant, and nothing of the message', async () => {
    const { id } = await proposeReply({ kind: 'reply_all' }, ada, await source());
    const seen = await readProposal(grace, id);
    expect(shown(seen)).toEqual({
      ...{ from_email_address: expect.any(String), to_email_addresses: null, subject: null },
      body: 'The second.',
    });
    expect(JSON.stringify(seen)).not.toContain('ferries.example');
    await accept(grace, id);
    expect(shown(await readProposal(ada, id)).subject).toBe('Re: Timetable');
    expect(JSON.stringify(await readProposal(linus, id))).not.toContain('ferries.example');
  });

  it('shows others none of the words that who accepts writes instead', async () => {
    const { id } = await proposeReply({}, ada, await source());
    expect((await made(id, grace, { body: 'My own words.' })).body).toContain('My own words.');
    for (const user of [ada, linus])
      expect(JSON.stringify(await readProposal(user, id))).not.toContain('My own');
  });

  it('tells others nothing of whom a new mail is for, in its parameters either', async () => {
    const told = {
      to_email_addresses: ['a@ferries.example'],
      cc_email_addresses: ['b@ferries.example'],
      bcc_email_addresses: ['c@ferries.example'],
      subject: 'Ferries',
    };
    const { id } = await propose({ mailbox_id, body: 'Two berths.', ...told }, ada, await source());
    expect((await readProposal(ada, id)).params).toMatchObject(told);
    const { display, params } = await readProposal(grace, id);
    const hidden = Object.fromEntries(Object.keys(told).map((field) => [field, null]));
    expect(shown({ display })).toMatchObject({ ...hidden, body: 'Two berths.' });
    expect(params).toEqual({ mailbox_id, kind: 'new', body: 'Two berths.' });
    expect(await made(id, grace)).toMatchObject(told);
  });

  it('fails when its user no longer sees the message', async () => {
    const own = await givenMailbox(workspace, linus);
    await importMail(workspace, linus, own, [eml({ id: 'gone@x', subject: 'Gone', text: 'Going.' })]);
    const message = (await messagesBySnippet(linus)).get('Going.');
    const { id } = await propose({ in_reply_to_message_id: message?.id, body: 'X' }, linus);
    await linus.session.deleteMailbox({ params: { id: own }, query: { keep_threads: false } });
    expect(await codeOf(accepting(id, linus))).toBe('404 record_not_found');
    expect((await readProposal(linus, id)).status).toBe('failed');
    expect(await draftsOf(linus)).toEqual([]);
  });

  it.each([
    ['404', 'a message that the user does not see', () => workspace.hank, {}, 'record_not_found'],
    ['404', 'no message', () => ada, { in_reply_to_message_id: randomUUID() }, 'record_not_found'],
    ['404', 'a strange mailbox', () => ada, { mailbox_id: randomUUID() }, 'record_not_found'],
    ['403', 'a mailbox to look at', () => linus, { mailbox_id: true }, 'permission_denied'],
  ])('%s: %s cannot be answered from', async (_, __, user, more, code) => {
    const named = 'mailbox_id' in more && more.mailbox_id === true ? { mailbox_id } : more;
    await expect(proposeReply(named, user())).rejects.toMatchObject({ code });
  });

  it.each([
    ['without a mailbox to write in', {}, 'params.mailbox_id', 'required'],
    ['from somebody else', { from_email_address: 'eve@x.example' }, 'params.from_email_address', 'invalid'],
    ['to no address', { to_email_addresses: ['x'] }, 'params.to_email_addresses.0', 'invalid_format'],
    ['that answers nothing', { kind: 'reply' }, 'params.in_reply_to_message_id', 'required'],
    ['that is sent', { send_at: '2027-01-01T00:00:00.000Z' }, 'params.send_at', 'not_allowed'],
  ])('400: a draft %s', async (_, params, field, code) => {
    const user = Object.keys(params).length === 0 ? workspace.hank : ada;
    const failed = await propose(params, user).catch((error) => error);
    expect(failed.fields).toMatchObject({ [field]: { code } });
  });
});
