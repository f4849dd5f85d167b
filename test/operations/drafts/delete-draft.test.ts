import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Draft } from '#shared/domain/mail/drafts/draft.ts';
import { keys } from '#shared/table/keys.ts';
import { createDraft, draftsOf } from '../../support/drafts.ts';
import { codeOf } from '../../support/failures.ts';
import { givenMailbox } from '../../support/mail.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../support/workspace.ts';

describe('DELETE /drafts/{id}', () => {
  let workspace: Workspace;
  let ada: TestUser;
  let mailbox_id: string;
  beforeAll(async () => {
    workspace = await startWorkspace();
    ({ ada } = workspace);
    mailbox_id = await givenMailbox(workspace, ada);
  });
  afterAll(() => workspace.stop());

  const given = () => createDraft(ada, { mailbox_id });
  const remove = (id: string, user = ada) => user.api.deleteDraft({ params: { id } });
  const ids = (drafts: { id: string }[]) => drafts.map(({ id }) => id);

  it('204: a deleted draft is gone', async () => {
    const { id } = await given();
    expect((await remove(id)).status).toBe(204);
    expect(await codeOf(remove(id))).toBe('404 record_not_found');
    expect(ids(await draftsOf(ada))).not.toContain(id);
  });

  it('404 of a draft of somebody else, which stays', async () => {
    const { id } = await given();
    expect(await codeOf(remove(id, workspace.grace))).toBe('404 record_not_found');
    expect(ids(await draftsOf(ada))).toContain(id);
  });

  it('204 while it is queued or failed; 422 once it is being sent', async () => {
    for (const [status, result] of [
      ['queued', 204],
      ['failed', 204],
      ['sending', '422 draft_not_editable'],
      ['sent', '422 draft_not_editable'],
    ] as const) {
      const { id } = await given();
      await workspace.table.update<Draft>(keys.draft(ada.user.id, id), { set: { status } });
      const call = remove(id);
      expect(result === 204 ? (await call).status : await codeOf(call), status).toBe(result);
    }
  });

  it('412 for another version, in any status', async () => {
    const { id } = await given();
    const headers = { 'If-Match': '"other"' };
    for (const status of ['draft', 'sent'] as const) {
      await workspace.table.update<Draft>(keys.draft(ada.user.id, id), { set: { status } });
      expect(await codeOf(ada.api.deleteDraft({ params: { id }, headers }))).toBe('412 precondition_failed');
    }
  });
});
