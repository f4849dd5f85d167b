import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDraft, readDraft } from '../../support/drafts.ts';
import { codeOf } from '../../support/failures.ts';
import { givenFile } from '../../support/files.ts';
import { givenMailbox } from '../../support/mail.ts';
import { startWorkspace, type Workspace } from '../../support/workspace.ts';

describe('DELETE /drafts/{draft_id}/attachments/{id}', () => {
  let workspace: Workspace;
  beforeAll(async () => {
    workspace = await startWorkspace({ files: true });
  });
  afterAll(() => workspace.stop());

  it('204: one of two goes, and the file stays; 404 for any other', async () => {
    const { ada, grace } = workspace;
    const { id: draft_id } = await createDraft(ada, { mailbox_id: await givenMailbox(workspace, ada) });
    const file = await givenFile(workspace, ada);
    const attach = async () =>
      (await ada.api.attachToDraft({ params: { draft_id }, body: { attachment: { file_id: file.id } } })).body
        .draft.attachments;
    const [first, second] = [(await attach())[0], (await attach())[1]];
    const detach = (id: string, user = ada) => user.api.detachFromDraft({ params: { draft_id, id } });
    for (const call of [() => detach(randomUUID()), () => detach(first?.id ?? '', grace)])
      expect(await codeOf(call())).toBe('404 record_not_found');
    expect((await detach(first?.id ?? '')).status).toBe(204);
    expect((await readDraft(ada, draft_id)).attachments).toEqual([second]);
    expect(await codeOf(detach(first?.id ?? ''))).toBe('404 record_not_found');
    expect((await ada.reader.retrieveFile({ params: { id: file.id } })).status).toBe(200);
  });
});
