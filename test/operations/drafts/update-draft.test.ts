import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Draft } from '#shared/domain/mail/drafts/draft.ts';
import { keys } from '#shared/table/keys.ts';
import { createDraft, messagesBySnippet, readDraft } from '../../support/drafts.ts';
import { codeOf, problemsOf } from '../../support/failures.ts';
import { eml, givenMailbox, importMail } from '../../support/mail.ts';
import { giveMailbox, takeMailbox } from '../../support/mailbox-access.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../support/workspace.ts';

describe('PATCH /drafts/{id}', () => {
  let workspace: Workspace;
  let ada: TestUser;
  let grace: TestUser;
  let mailbox_id: string;
  let other: string;
  let message: { id: string; thread_id: string };

  beforeAll(async () => {
    workspace = await startWorkspace({ files: true });
    ({ ada, grace } = workspace);
    mailbox_id = await givenMailbox(workspace, ada);
    other = await givenMailbox(workspace, ada);
    await importMail(workspace, ada, mailbox_id, [eml({ id: 'first@x', subject: 'Winter', text: 'First.' })]);
    message = (await messagesBySnippet(ada)).get('First.') as typeof message;
  });
  afterAll(() => workspace.stop());

  const given = (draft: object = {}, user = ada) => createDraft(user, { mailbox_id, ...draft });
  const update = (id: string, draft: object, user = ada) =>
    user.api.updateDraft({ params: { id }, body: { draft } as never });
  const set = (id: string, changes: Partial<Draft>, user = ada) =>
    workspace.table.update<Draft>(keys.draft(user.user.id, id), { set: changes });
  const remove = (id: string, user = ada) => user.api.deleteDraft({ params: { id } });

  it('200: fields that are not sent stay, null clears, an array replaces', async () => {
    const before = await given({ subject: 'A', body: 'Text', to_email_addresses: ['a@x.example'] });
    const { draft } = (await update(before.id, { subject: null, cc_email_addresses: ['c@x.example'] })).body;
    expect(draft).toEqual({
      ...before,
      subject: null,
      cc_email_addresses: ['c@x.example'],
      updated_at: expect.stringMatching(/Z$/),
    });
    expect(await readDraft(ada, before.id)).toEqual(draft);
    expect((await update(before.id, { subject: null })).body.draft).toEqual(draft);
  });

  it('of text and HTML, what is sent makes the other', async () => {
    const { id } = await given({ body: 'One' });
    const content = async (draft: object) => {
      const { body, body_html } = (await update(id, draft)).body.draft;
      return [body, body_html];
    };
    expect(await content({ body: 'a\nb' })).toEqual(['a\nb', 'a<br />b']);
    expect(await content({ body_html: '<p>x</p><p>y</p>' })).toEqual(['x\n\ny', '<p>x</p><p>y</p>']);
    expect(await content({ body_html: '<p>x</p>', body: 'y' })).toEqual(['y', '<p>x</p>']);
    expect(await content({ subject: 'Z' })).toEqual(['y', '<p>x</p>']);
    expect(await content({ body_html: null, body: 'z' })).toEqual(['z', 'z']);
    expect(await content({ body: null })).toEqual([null, null]);
  });

  it('answers another message, or none', async () => {
    const { id } = await given({ body: 'Mine' });
    const answering = (await update(id, { in_reply_to_message_id: message.id })).body.draft;
    expect(answering).toMatchObject({ kind: 'reply', thread_id: message.thread_id, body: 'Mine' });
    expect((await update(id, { kind: 'forward' })).body.draft).toMatchObject({ thread_id: null });
    const none = (await update(id, { in_reply_to_message_id: null })).body.draft;
    expect(none).toMatchObject({ kind: 'new', thread_id: null });
    expect(await problemsOf(update(id, { kind: 'reply' }))).toEqual({ in_reply_to_message_id: 'required' });
  });

  it('403 and 404 of another mailbox; 404 of a draft of somebody else; 404 when access ends', async () => {
    const { id } = await given();
    const hidden = await givenMailbox(workspace, grace);
    expect(await codeOf(update(id, { mailbox_id: hidden }))).toBe('404 record_not_found');
    await giveMailbox(workspace, ada, hidden);
    expect(await codeOf(update(id, { mailbox_id: hidden }))).toBe('403 permission_denied');
    expect((await update(id, { mailbox_id: other })).body.draft.mailbox_id).toBe(other);
    for (const call of [() => update(id, { subject: 'x' }, grace), () => remove(id, grace)])
      expect(await codeOf(call())).toBe('404 record_not_found');
    await giveMailbox(workspace, grace, mailbox_id, 'edit');
    const hers = await given({}, grace);
    await takeMailbox(workspace, grace, mailbox_id);
    expect(await codeOf(update(hers.id, { subject: 'x' }, grace))).toBe('404 record_not_found');
    expect((await remove(hers.id, grace)).status).toBe(204);
  });

  it('400 as for a new one, and nothing changes', async () => {
    const before = await given({ subject: 'A' });
    for (const [sent, problems] of [
      [{ subject: 'a\nb' }, { subject: 'invalid_format' }],
      [{ from_email_address: 'x@x.example' }, { from_email_address: 'invalid' }],
      [
        { status: 'sent', rfc_id: 'x' },
        { status: 'not_allowed', rfc_id: 'not_allowed' },
      ],
      [{ mailbox_id: null }, { mailbox_id: 'invalid' }],
      [{ kind: null }, { kind: 'invalid' }],
    ] as const)
      expect(await problemsOf(update(before.id, sent)), JSON.stringify(sent)).toEqual(problems);
    expect(await readDraft(ada, before.id)).toEqual(before);
  });

  it('422 once it is queued; failed ones can be changed', async () => {
    for (const status of ['queued', 'sending', 'sent'] as const) {
      const { id } = await given();
      await set(id, { status });
      expect(await codeOf(update(id, { subject: 'x' })), status).toBe('422 draft_not_editable');
      const removed = await remove(id).then(
        (response) => response.status,
        ({ code }) => code,
      );
      expect(removed, status).toBe(status === 'queued' ? 204 : 'draft_not_editable');
    }
    const { id } = await given();
    await set(id, { status: 'failed' });
    expect((await update(id, { subject: 'x' })).body.draft.subject).toBe('x');
  });

  it('412 for another version', async () => {
    const { id } = await given();
    const headers = { 'If-Match': '"other"' };
    const call = () =>
      ada.api.updateDraft({ params: { id }, body: { draft: { subject: 'x' } }, headers } as never);
    expect(await codeOf(call())).toBe('412 precondition_failed');
    await set(id, { status: 'queued' });
    expect(await codeOf(call())).toBe('412 precondition_failed');
  });

  it('both of two changes at once arrive', async () => {
    const { id } = await given();
    await Promise.all([update(id, { subject: 'x' }), update(id, { body: 'y' })]);
    expect(await readDraft(ada, id)).toMatchObject({ subject: 'x', body: 'y' });
  });
});
