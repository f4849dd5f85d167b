import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Draft } from '#shared/domain/mail/drafts/draft.ts';
import { keys } from '#shared/table/keys.ts';
import { createDraft, outbound, readDraft } from '../../support/drafts.ts';
import { codeOf } from '../../support/failures.ts';
import { givenMailbox } from '../../support/mail.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../support/workspace.ts';

describe('DELETE /drafts/{draft_id}/send', () => {
  let workspace: Workspace;
  let ada: TestUser;
  let draft_id: string;
  beforeAll(async () => {
    workspace = await startWorkspace();
    ({ ada } = workspace);
    const mailbox_id = await givenMailbox(workspace, ada);
    await outbound(workspace.table, workspace.account_id, mailbox_id);
    draft_id = (await createDraft(ada, { mailbox_id, to_email_addresses: ['a@x.example'] })).id;
  });
  afterAll(() => workspace.stop());

  const cancel = (user = ada) => user.api.cancelDraft({ params: { draft_id } });

  it('204: a queued draft is a draft again, for its user alone', async () => {
    expect(await codeOf(cancel())).toBe('422 draft_not_cancellable');
    await ada.api.sendDraft({ params: { draft_id }, body: { send_at: 'week' } });
    expect(await codeOf(cancel(workspace.grace))).toBe('404 record_not_found');
    expect((await cancel()).status).toBe(204);
    expect(await readDraft(ada, draft_id)).toMatchObject({ status: 'draft', send_at: null });
    expect(await codeOf(cancel())).toBe('422 draft_not_cancellable');
  });

  it('422 once it is being sent, was sent, or failed', async () => {
    for (const status of ['sending', 'sent', 'failed'] as const) {
      await workspace.table.update<Draft>(keys.draft(ada.user.id, draft_id), { set: { status } });
      expect(await codeOf(cancel()), status).toBe('422 draft_not_cancellable');
    }
  });
});
