import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Draft } from '#shared/domain/mail/drafts/draft.ts';
import type { DueDraft } from '#shared/domain/mail/drafts/due.ts';
import type { Job } from '#shared/domain/platform/jobs/job.ts';
import { keys } from '#shared/table/keys.ts';
import { createDraft, outbound, readDraft } from '../../support/drafts.ts';
import { codeOf, problemsOf } from '../../support/failures.ts';
import { givenMailbox } from '../../support/mail.ts';
import { giveMailbox } from '../../support/mailbox-access.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../support/workspace.ts';

describe('POST /drafts/{draft_id}/send', () => {
  let workspace: Workspace;
  let ada: TestUser;
  let grace: TestUser;
  let mailbox_id: string;
  const to = { to_email_addresses: ['priya@ferries.example'] };
  const NOW = new Date('2026-11-20T09:30:00.000Z');

  beforeAll(async () => {
    workspace = await startWorkspace();
    ({ ada, grace } = workspace);
    mailbox_id = await givenMailbox(workspace, ada);
    await outbound(workspace.table, workspace.account_id, mailbox_id);
    workspace.setTime(NOW);
  });
  afterAll(() => workspace.stop());

  const given = (draft: object = to) => createDraft(ada, { mailbox_id, ...draft });
  const send = (draft_id: string, body: object = {}, user = ada, key?: string) =>
    user.api.sendDraft({
      params: { draft_id },
      body: body as never,
      ...(key ? { headers: { 'Idempotency-Key': key } } : {}),
    });
  const cancel = (draft_id: string, user = ada) => user.api.cancelDraft({ params: { draft_id } });
  const stored = async (id: string) =>
    (await workspace.table.get<Draft>(keys.draft(ada.user.id, id))) as Draft;
  const jobOf = async (id: string) => workspace.table.get<Job>(keys.job((await stored(id)).sending_id ?? ''));

  it('202: queued, with its Message-ID in the domain of the mailbox, for a job', async () => {
    const { id } = await given();
    const { status, body } = await send(id);
    expect(status).toBe(202);
    expect(body.draft).toMatchObject({
      status: 'queued',
      rfc_id: `${id}@acme.example`,
      send_at: null,
      attempts: 0,
    });
    expect(await readDraft(ada, id)).toEqual(body.draft);
    expect(await jobOf(id)).toMatchObject({
      queue: 'send-drafts',
      body: { user_id: ada.user.id, draft_id: id },
    });
  });

  it.each<[string, object, string | null, 'now' | number | 'due']>([
    ['at once', { send_at: null }, null, 'now'],
    ['a moment that has passed', { send_at: '2020-01-01T00:00:00Z' }, null, 'now'],
    ['time to undo', { undo_seconds: 30 }, '2026-11-20T09:30:30.000Z', 30],
    ['within minutes', { send_at: '2026-11-20T10:35:00+01:00' }, '2026-11-20T09:35:00.000Z', 300],
    ['a shortcut', { send_at: 'tonight' }, '2026-11-20T19:00:00.000Z', 'due'],
    ['a day of the user', { send_at: '2026-11-22' }, '2026-11-22T00:00:00.000Z', 'due'],
    [
      'the later of both',
      { send_at: '2026-11-20T09:30:10Z', undo_seconds: 20 },
      '2026-11-20T09:30:20.000Z',
      20,
    ],
  ])('%s', async (_, sent, send_at, how) => {
    const { id } = await given();
    expect((await send(id, sent)).body.draft.send_at).toBe(send_at);
    const job = await jobOf(id);
    if (how === 'due') {
      const due = await workspace.table.get<DueDraft>(keys.dueDraft(Date.parse(send_at ?? ''), id));
      expect([job, due?.work, due?.user_id]).toEqual([undefined, 'send', ada.user.id]);
    } else expect(job?.delay).toBe(how === 'now' ? undefined : how);
  });

  it('DELETE takes it back: it can be changed and sent again, with the same Message-ID', async () => {
    const { id } = await given();
    const { rfc_id } = (await send(id, { send_at: 'morning' })).body.draft;
    expect((await cancel(id)).status).toBe(204);
    expect(await readDraft(ada, id)).toMatchObject({ status: 'draft', send_at: null, rfc_id });
    expect(await codeOf(cancel(id))).toBe('422 draft_not_cancellable');
    expect((await send(id)).body.draft.rfc_id).toBe(rfc_id);
  });

  it('409 when it is queued, being sent or sent; a failed one is sent again', async () => {
    const { id } = await given();
    await send(id);
    expect(await codeOf(send(id))).toBe('409 draft_already_queued');
    for (const status of ['sending', 'sent'] as const) {
      await workspace.table.update<Draft>(keys.draft(ada.user.id, id), { set: { status } });
      expect(await codeOf(send(id))).toBe('409 draft_already_queued');
      expect(await codeOf(cancel(id))).toBe('422 draft_not_cancellable');
    }
    const last_error = { code: 'provider_failed' as const, message: 'x' };
    await workspace.table.update<Draft>(keys.draft(ada.user.id, id), {
      set: { status: 'failed', last_error, attempts: 5 },
    });
    expect((await send(id)).body.draft).toMatchObject({ status: 'queued', attempts: 0, last_error: null });
  });

  it('one of two at once is queued', async () => {
    const { id } = await given();
    const results = await Promise.allSettled([send(id), send(id), send(id)]);
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  it('the same Idempotency-Key gets the first response again', async () => {
    const { id } = await given();
    const first = await send(id, {}, ada, `send ${id}`);
    const again = await send(id, {}, ada, `send ${id}`);
    expect([again.status, again.body]).toEqual([202, first.body]);
  });

  it('also the response of a draft that is as large as an item may be', async () => {
    const letters = Array.from({ length: 80_000 }, (_, i) =>
      String.fromCodePoint(0x4e00 + ((i * i) % 20_011)),
    );
    const { id } = await given({ ...to, body_html: `<p>${letters.join('')}</p>` });
    const first = await send(id, {}, ada, `send ${id}`);
    const again = await send(id, {}, ada, `send ${id}`);
    expect([again.status, again.body]).toEqual([202, first.body]);
    expect(again.body.draft).toMatchObject({ status: 'queued', body: letters.join('') });
  });

  it('422 of the mailbox and of a draft to nobody, in this order', async () => {
    const plain = await givenMailbox(workspace, ada);
    const nobody = await given({ mailbox_id: plain });
    expect(await codeOf(send(nobody.id))).toBe('422 outbound_disabled');
    await outbound(workspace.table, workspace.account_id, plain, {
      status: 'locked',
      lock: { code: 'credentials_refused', message: 'x', locked_at: NOW.toISOString() },
    });
    expect(await codeOf(send(nobody.id))).toBe('422 mailbox_locked');
    await outbound(workspace.table, workspace.account_id, plain, { status: 'active' });
    expect(await codeOf(send(nobody.id))).toBe('422 draft_has_no_recipients');
    expect((await readDraft(ada, nobody.id)).status).toBe('draft');
    const hidden = await given({ bcc_email_addresses: ['b@x.example'] });
    expect((await send(hidden.id)).status).toBe(202);
  });

  it('403 once its user may only look at the mailbox; 404 for drafts of others', async () => {
    await giveMailbox(workspace, grace, mailbox_id, 'edit');
    const { id } = await createDraft(grace, { mailbox_id, ...to });
    expect(await codeOf(send(id))).toBe('404 record_not_found');
    expect(await codeOf(cancel(id))).toBe('404 record_not_found');
    await giveMailbox(workspace, grace, mailbox_id, 'view');
    expect(await codeOf(send(id, {}, grace))).toBe('403 permission_denied');
  });

  it('400', async () => {
    const { id } = await given();
    for (const [sent, problems] of [
      [{ send_at: 'soonish' }, { send_at: 'invalid_format' }],
      [{ send_at: '' }, { send_at: 'required' }],
      [{ send_at: 5 }, { send_at: 'invalid' }],
      [{ undo_seconds: 31 }, { undo_seconds: 'invalid' }],
      [{ undo_seconds: -1 }, { undo_seconds: 'invalid' }],
      [{ undo_seconds: 1.5 }, { undo_seconds: 'invalid' }],
    ] as const)
      expect(await problemsOf(send(id, sent)), JSON.stringify(sent)).toEqual(problems);
    expect((await readDraft(ada, id)).status).toBe('draft');
  });
});
