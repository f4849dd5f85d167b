import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Draft } from '#shared/domain/mail/drafts/draft.ts';
import { keys } from '#shared/table/keys.ts';
import { createDraft, draftsOf, messagesBySnippet } from '../../support/drafts.ts';
import { codeOf, problemsOf } from '../../support/failures.ts';
import { longIt } from '../../support/long.ts';
import { eml, givenMailbox, importMail } from '../../support/mail.ts';
import { giveMailbox } from '../../support/mailbox-access.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../support/workspace.ts';

describe('GET /drafts', () => {
  let workspace: Workspace;
  let ada: TestUser;
  let mailbox_id: string;
  let other: string;
  let message: { id: string; thread_id: string };
  beforeAll(async () => {
    workspace = await startWorkspace({ files: true });
    ({ ada } = workspace);
    mailbox_id = await givenMailbox(workspace, ada);
    other = await givenMailbox(workspace, ada);
    await importMail(workspace, ada, mailbox_id, [eml({ id: 'first@x', subject: 'Winter', text: 'First.' })]);
    message = (await messagesBySnippet(ada)).get('First.') as typeof message;
  });
  afterAll(() => workspace.stop());

  const set = (id: string, changes: Partial<Draft>, user = ada) =>
    workspace.table.update<Draft>(keys.draft(user.user.id, id), { set: changes });
  const ids = (drafts: { id: string }[]) => drafts.map(({ id }) => id);

  it('lists what is not sent, newest first, by state, thread and mailbox', async () => {
    const user = workspace.linus;
    const own = await givenMailbox(workspace, user);
    const second = await givenMailbox(workspace, user);
    await giveMailbox(workspace, user, mailbox_id);
    const plain = await createDraft(user, { mailbox_id: own });
    const answer = await createDraft(user, { mailbox_id: second, in_reply_to_message_id: message.id });
    const failed = await createDraft(user, { mailbox_id: own, subject: 'Failed' });
    await set(failed.id, { status: 'failed' }, user);
    expect(ids(await draftsOf(user))).toEqual([failed.id, answer.id, plain.id]);
    expect((await draftsOf(user))[2]).toEqual(plain);
    for (const [query, expected] of [
      [{ status: 'draft' }, [answer.id, plain.id]],
      [{ status: 'failed' }, [failed.id]],
      [{ status: 'queued' }, []],
      [{ thread_id: message.thread_id }, [answer.id]],
      [{ mailbox_id: own }, [failed.id, plain.id]],
      [{ mailbox_id: own, status: 'failed' }, [failed.id]],
    ] as const)
      expect(ids(await draftsOf(user, query)), JSON.stringify(query)).toEqual(expected);
    for (const query of [{ thread_id: randomUUID() }, { mailbox_id: other }])
      expect(await codeOf(user.reader.listDrafts({ query }))).toBe('404 record_not_found');
    const bad = user.reader.listDrafts({ query: { status: 'sent', mailbox_id: 'x' } as never });
    expect(await problemsOf(bad)).toEqual({ status: 'invalid', mailbox_id: 'invalid_format' });
  });

  longIt('beyond 4 MB of text, further drafts are without theirs', async () => {
    const user = workspace.grace;
    const own = await givenMailbox(workspace, user);
    const body = 'Long words. '.repeat(16_000);
    for (let i = 0; i < 12; i++) await createDraft(user, { mailbox_id: own, body });
    const drafts = (await user.reader.listDrafts()).body.drafts;
    expect(drafts.map((draft) => draft.body?.length ?? 0)).toEqual([
      ...Array.from({ length: 11 }, () => body.length),
      0,
    ]);
  });
});
