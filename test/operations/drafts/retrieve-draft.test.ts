import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDraft } from '../../support/drafts.ts';
import { codeOf } from '../../support/failures.ts';
import { givenMailbox } from '../../support/mail.ts';
import { startWorkspace, type Workspace } from '../../support/workspace.ts';

describe('GET /drafts/{id}', () => {
  let workspace: Workspace;
  beforeAll(async () => {
    workspace = await startWorkspace();
  });
  afterAll(() => workspace.stop());

  it('200 for its user with a key that only reads; 404 for everybody else', async () => {
    const { ada, grace, hank } = workspace;
    const draft = await createDraft(ada, { mailbox_id: await givenMailbox(workspace, ada), body: 'Secret' });
    const params = { id: draft.id };
    expect((await ada.reader.retrieveDraft({ params })).body.draft).toEqual(draft);
    for (const call of [
      () => grace.reader.retrieveDraft({ params }),
      () => hank.reader.retrieveDraft({ params }),
      () => ada.reader.retrieveDraft({ params: { id: randomUUID() } }),
    ])
      expect(await codeOf(call())).toBe('404 record_not_found');
  });
});
