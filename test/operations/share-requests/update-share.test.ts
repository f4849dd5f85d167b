import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codeOf, problemsOf } from '../../support/failures.ts';
import { givenGroup } from '../../support/groups.ts';
import { givenMail, onMailbox, onThread } from '../../support/shares.ts';
import { startWorkspace, type Workspace } from '../../support/workspace.ts';

describe('PATCH /{record_type}/{record_id}/shares/{id}', () => {
  let workspace: Workspace;
  let mailbox: string;
  let thread: string;

  beforeAll(async () => {
    workspace = await startWorkspace({ files: true });
    const given = await givenMail(workspace, workspace.ada, ['Winch']);
    ({ mailbox } = given);
    thread = given.threads.Winch as string;
  });
  afterAll(() => workspace?.stop());

  it('200: the new access applies to the next request, for users and groups', async () => {
    const { ada, grace, linus } = workspace;
    const group = await givenGroup(ada, [linus]);
    const targets = [
      { draft: { user_id: grace.user.id }, user: grace },
      { draft: { group_id: group.id }, user: linus },
    ];
    for (const { draft, user } of targets) {
      const { body } = await ada.api.createShare({ params: onMailbox(mailbox), body: { share: draft } });
      const mailboxOf = () => user.reader.retrieveMailbox({ params: { id: mailbox } });
      expect((await mailboxOf()).body.mailbox.access).toBe('view');
      const params = { ...onMailbox(mailbox), id: body.share.id };
      const changed = await ada.api.updateShare({ params, body: { share: { access: 'edit' } } });
      expect(changed.body.share).toEqual({ ...body.share, access: 'edit' });
      expect((await mailboxOf()).body.mailbox.access).toBe('edit');
    }
  });

  it('422 share_is_inherited for what is shared with the mailbox', async () => {
    const { ada } = workspace;
    const { body } = await ada.reader.listShares({ params: onThread(thread) });
    const params = { ...onThread(thread), id: body.shares[0]?.id as string };
    const attempt = ada.api.updateShare({ params, body: { share: { access: 'view' } } });
    expect(await codeOf(attempt)).toBe('422 share_is_inherited');
  });

  it('403 for a user who may not share, 404 for a share of another record', async () => {
    const { ada, grace } = workspace;
    const { body } = await ada.reader.listShares({ params: onMailbox(mailbox) });
    const params = { ...onMailbox(mailbox), id: body.shares[0]?.id as string };
    const share = { access: 'view' as const };
    expect(await codeOf(grace.api.updateShare({ params, body: { share } }))).toBe('403 permission_denied');
    const unknown = { ...params, id: randomUUID() };
    expect(await codeOf(ada.api.updateShare({ params: unknown, body: { share } }))).toBe(
      '404 record_not_found',
    );
  });

  it('400: access is needed, and view or edit', async () => {
    const { ada } = workspace;
    const { body } = await ada.reader.listShares({ params: onMailbox(mailbox) });
    const params = { ...onMailbox(mailbox), id: body.shares[0]?.id as string };
    const problems = (share: object) =>
      problemsOf(ada.api.updateShare({ params, body: { share: share as never } }));
    expect(await problems({})).toEqual({ access: 'required' });
    expect(await problems({ access: null })).toEqual({ access: 'required' });
    expect(await problems({ access: 'Edit' })).toEqual({ access: 'invalid' });
  });
});
