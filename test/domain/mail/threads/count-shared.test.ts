import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eml, givenMailbox, importMail, listAllThreads } from '../../../support/mail.ts';
import { startWorkspace, type Workspace } from '../../../support/workspace.ts';

/** Threads that a user may read in more than one way. */
describe('counting shared threads', () => {
  let workspace: Workspace;
  const count = async (query: Record<string, string | boolean> = {}) =>
    (await workspace.grace.reader.countThreads({ query })).body.count.total;

  beforeAll(async () => {
    workspace = await startWorkspace({ files: true });
    const { ada, grace } = workspace;
    const mailbox = await givenMailbox(workspace, ada);
    await importMail(workspace, ada, mailbox, [
      eml({ id: 'one@x', subject: 'Winch' }),
      eml({ id: 'two@x', subject: 'Berth' }),
    ]);
    const [thread] = await listAllThreads(ada.reader, { subject: 'winch' });
    const share = { user_id: grace.user.id };
    const params = { record_type: 'threads' as const, record_id: thread?.id as string };
    await ada.api.createShare({ params, body: { share } });
    expect(await count()).toBe(1);
    await ada.api.createShare({
      params: { record_type: 'mailboxes', record_id: mailbox },
      body: { share },
    });
  });
  afterAll(() => workspace?.stop());

  it.each([
    [{}, 2],
    [{ unread: true }, 2],
    [{ unread: true, unresolved: true }, 2],
    [{ scope: 'shared' }, 1],
    [{ slice: 'inbox' }, 2],
    [{ query: 'winch' }, 1],
    [{ cap: '1' }, 1],
  ])('counts %j once each, by share and by access to the mailbox', async (query, expected) => {
    expect(await count(query)).toBe(expected);
  });
});
